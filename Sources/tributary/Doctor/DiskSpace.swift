import Foundation

/// The free space on the disk of a folder.
struct DiskSpace {
    /// Bytes below which there is a warning.
    private static let little = 1 << 30
    /// Bytes below which nothing can be stored reliably: a request and its log may need as much.
    private static let none = 1 << 20

    let folder: String
    /// Bytes that this user may still write.
    let free: Int

    var isFull: Bool { free < Self.none }

    init(folder: String, free: Int) {
        self.folder = folder
        self.free = free
    }

    /// Nil if the system does not tell. For a folder that does not exist yet, the nearest parent that exists counts.
    init?(folder: String) {
        var url = URL(fileURLWithPath: folder)
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        var status = statvfs()
        guard statvfs(url.path, &status) == 0 else { return nil }
        self.folder = folder
        free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// - Parameters:
    ///   - what: what the disk is for.
    ///   - isLastPlace: whether events can be stored nowhere else now.
    func finding(_ what: String, isLastPlace: Bool = false) -> DoctorFinding {
        let text = "disk of \(what): \(Self.text(free)) free at \(folder)"
        if isFull {
            return DoctorFinding(
                isLastPlace ? .missing : .warning,
                "\(text): the disk is full",
                advice: isLastPlace
                    ? "The database can store nothing now, and there is no room for events here: free some space."
                    : "Free some space."
            )
        }
        if free < Self.little {
            return DoctorFinding(
                .warning,
                "\(text), less than \(Self.text(Self.little))",
                advice: "Free some space before the disk is full."
            )
        }
        return DoctorFinding(.good, text)
    }

    /// In binary units; from 1 KiB on with one decimal.
    static func text(_ bytes: Int) -> String {
        var tenths = bytes
        for unit in ["bytes", "KiB", "MiB", "GiB"] {
            if unit == "bytes" {
                if bytes < 1024 { return "\(bytes) bytes" }
                tenths = bytes * 10 / 1024
            } else if tenths < 10_240 {
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            } else {
                tenths /= 1024
            }
        }
        return "\(tenths / 10).\(tenths % 10) TiB"
    }
}
