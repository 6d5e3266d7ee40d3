import Foundation
import GRDB

/// A spool seen from outside, while a daemon may have it open. Nothing is delivered or changed.
package struct SpoolInspection: Sendable {
    package var path: String
    package var depth: SpoolDepth
    /// Requests that could not be read and lie beside those that wait.
    package var unreadable: Int
    /// The database that it is for; nil where that is not known yet.
    package var origin: DatabaseIdentity?
    /// Whether a process has it open; nil where the system does not tell.
    package var isInUse: Bool?

    /// The spools of a folder, by name; none where there is no such folder.
    ///
    /// - Throws: where a file cannot be read, because it is another user's for example.
    package static func all(in folder: String) throws -> [SpoolInspection] {
        try SpoolFolder.files(in: folder).map { try SpoolInspection(path: $0) }
    }

    private init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        configuration.label = "spool"
        self.path = path
        (depth, unreadable, origin) = try DatabaseQueue(path: path, configuration: configuration).read { database in
            // A file that a daemon is making has no table yet.
            let depth = try database.tableExists("batch") ? SpoolDepth.read(database) : SpoolDepth()
            return (depth, try Spool.countUnreadable(database), try Spool.readOrigin(database))
        }
        isInUse = Self.isLocked(path + ".lock")
    }

    /// Looks the lock up without asking for it, which could keep a daemon that starts now from getting it.
    private static func isLocked(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        return locks.split(separator: "\n").contains { line in
            // 1: FLOCK  ADVISORY  WRITE 4711 08:01:1234567 0 EOF
            let words = line.split(separator: " ")
            return words.contains("FLOCK") && words.contains { $0.hasSuffix(":\(status.st_ino)") }
        }
    }
}
