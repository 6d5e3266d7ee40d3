import Foundation
import GRDB

/// The state of a spool, read from outside. A daemon may have it open. Nothing is delivered or changed.
package struct SpoolInspection: Sendable {
    package var path: String
    package var depth: SpoolDepth
    /// The number of requests that cannot be read. They are not part of `depth`.
    package var unreadable: Int
    /// So many of them are not what was written. The others, another version has written.
    package var damaged: Int
    /// Why the file cannot be read; nil if it can. Then the numbers are 0.
    package var damage: String?
    /// The database that the spool belongs to; nil if it is not tied to one yet.
    package var origin: DatabaseIdentity?
    /// Whether a process has it open; nil if the system does not say.
    package var isInUse: Bool?

    /// The spools of a folder, sorted by name; none if the folder does not exist.
    ///
    /// - Throws: if a file cannot be opened, for example because it belongs to another user.
    package static func all(in folder: String) throws -> [SpoolInspection] {
        try SpoolFolder.files(in: folder).map { try SpoolInspection(path: $0) }
    }

    private init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        configuration.label = "spool"
        self.path = path
        let delivered = SpoolLedger.note(at: SpoolFile.ledgerPath(path))?.delivered ?? 0
        (depth, unreadable, damaged) = (SpoolDepth(), 0, 0)
        do {
            try DatabaseQueue(path: path, configuration: configuration).read { database in
                // A file that a daemon is creating has no tables yet.
                if try database.tableExists("batch") { depth = try SpoolDepth.read(database, after: delivered) }
                (unreadable, damaged) = try Spool.unreadable(database)
                origin = try Spool.readOrigin(database)
            }
        } catch {
            guard let found = SpoolDamage(error) else { throw error }
            damage = "\(found)"
        }
        isInUse = Self.isOpen(path)
    }

    /// Whether a process has a spool open; nil if the system does not say.
    ///
    /// - Parameter locks: the system's list of locks.
    static func isOpen(_ spool: String, locks: String = "/proc/locks") -> Bool? { isLocked(spool + ".lock", locks) }

    /// Reads the system's list of locks. Trying to take the lock could keep a daemon that is starting from getting it.
    private static func isLocked(_ path: String, _ locks: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        // `String(contentsOfFile:)` reads only the first piece that the kernel hands over, of 4 KiB.
        guard let file = FileHandle(forReadingAtPath: locks) else { return nil }
        let list: Data
        do {
            // Nil: the list is empty, because nobody holds a lock.
            list = try file.readToEnd() ?? Data()
        } catch {
            return nil
        }
        return String(decoding: list, as: UTF8.self).split(separator: "\n").contains { line in
            // 1: FLOCK  ADVISORY  WRITE 4711 08:01:1234567 0 EOF
            let words = line.split(separator: " ")
            return words.contains("FLOCK") && words.contains { $0.hasSuffix(":\(status.st_ino)") }
        }
    }
}
