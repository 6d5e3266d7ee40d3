import Foundation
import Time

/// A file of a spool's log that lacked requests. It was delivered otherwise, and is never changed or deleted:
/// `damaged-TIME-spool-N-POSITION-lost-COUNT.log`. It is empty if no file was left of the requests.
package struct DamagedSpool: Equatable, Sendable {
    private static let prefix = "damaged-"
    private static let suffix = ".log"

    package let path: String
    /// The number of requests that were not found whole.
    package var lost: Int

    /// The damaged files of a folder, the oldest first; none if the folder cannot be read.
    package static func all(in folder: String) -> [DamagedSpool] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.sorted().map { name in
            let count = name.dropLast(suffix.count).split(separator: "-").last
            return DamagedSpool(path: "\(folder)/\(name)", lost: count.flatMap { Int($0) } ?? 0)
        }
    }

    /// Moves a file out of the folder of its spool. That needs no room.
    ///
    /// - Parameter file: nil if none is left. An empty one is made.
    static func setAside(_ file: String?, of spool: String, lost: Int64) throws(DiskFile.Failure) {
        let time = Timestamp.now.rfc3339.filter { $0 != "-" && $0 != ":" }
        let spool = URL(fileURLWithPath: spool)
        let position = file.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent } ?? "missing"
        let folder = spool.deletingLastPathComponent().path
        let aside = "\(folder)/\(prefix)\(time)-\(spool.lastPathComponent)-\(position)-lost-\(lost)\(suffix)"
        if let file {
            guard rename(file, aside) == 0 else { throw DiskFile.Failure(file) }
        } else {
            close(try DiskFile.open(aside, O_WRONLY | O_CREAT))
        }
    }
}
