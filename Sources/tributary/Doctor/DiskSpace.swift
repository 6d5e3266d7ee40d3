import Foundation

/// The free space on the disk of a folder.
struct DiskSpace {
    /// Bytes below which there is a warning.
    private static let little = 1 << 30
    /// Bytes below which events can hardly be stored.
    private static let tooLittle = 64 << 20

    /// Bytes that this user may still write.
    let free: Int

    /// Nil if the system does not tell. For a folder that does not exist yet, the nearest parent that exists counts.
    init?(folder: String) {
        var url = URL(fileURLWithPath: folder)
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        var status = statvfs()
        guard statvfs(url.path, &status) == 0 else { return nil }
        free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// - Parameter what: what the disk is for.
    func finding(_ what: String, _ folder: String) -> DoctorFinding {
        let text = "disk of \(what): \(Self.text(free)) free at \(folder)"
        if free < Self.tooLittle { return DoctorFinding(.missing, text, advice: "Free some space: events need it.") }
        if free < Self.little {
            return DoctorFinding(.warning, text, advice: "Free some space before the disk is full.")
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
