import Foundation
import GRDB

/// The state of a spool, read from outside. A daemon may have it open. Nothing is delivered or changed.
package struct SpoolInspection: Sendable {
    package var path: String
    package var depth: SpoolDepth
    /// The number of requests that cannot be read. They are not part of `depth`.
    package var unreadable: Int
    /// The database that the spool belongs to; nil if it is not tied to one yet.
    package var origin: DatabaseIdentity?
    /// Whether a process has it open; nil if the system does not say.
    package var isInUse: Bool?

    /// The spools of a folder, sorted by name; none if the folder does not exist.
    ///
    /// - Throws: if a file cannot be read, for example because it belongs to another user.
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
            // A file that a daemon is creating has no tables yet.
            let depth = try database.tableExists("batch") ? SpoolDepth.read(database) : SpoolDepth()
            return (depth, try Spool.countUnreadable(database), try Spool.readOrigin(database))
        }
        isInUse = Self.isOpen(path)
    }

    /// Whether a process has a spool open; nil if the system does not say.
    static func isOpen(_ spool: String) -> Bool? { isLocked(spool + ".lock") }

    /// Reads the system's list of locks. Trying to take the lock could keep a daemon that is starting from getting it.
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
