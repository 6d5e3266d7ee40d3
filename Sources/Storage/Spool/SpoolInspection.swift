import Foundation

/// The state of a spool, read from outside. A daemon may have it open. Nothing is delivered or changed.
package struct SpoolInspection: Sendable {
    package var path: String
    package var depth: SpoolDepth
    /// The number of requests that cannot be read. They are not part of `depth`.
    package var unreadable: Int
    /// What is wrong with the files; nil if they hold what was written to them.
    package var damage: String?
    /// The database that the spool belongs to; nil if it is not tied to one yet.
    package var origin: DatabaseIdentity?
    /// Whether a process has it open; nil if the system does not say.
    package var isInUse: Bool?

    /// The spools of a folder, sorted by name; none if the folder does not exist.
    ///
    /// - Throws: if a file cannot be opened, for example because it belongs to another user.
    package static func all(in folder: String) throws -> [SpoolInspection] {
        try SpoolFolder.spools(in: folder).map { try SpoolInspection(path: $0) }
    }

    private init(path: String) throws {
        self.path = path
        (depth, unreadable) = (SpoolDepth(), SpoolLog.unreadable(in: path).count)
        do {
            origin = try Spool.origin(of: path)
        } catch let error as SnapshotFile.Damage {
            damage = "\(error)"
        }
        isInUse = Self.isOpen(path)
        // A daemon may deliver requests and delete files between the looks at them.
        for isLast in [false, false, false, true] {
            let note = SpoolNote.values(at: SpoolLog.notePath(path))
            let index = try SpoolIndex(folder: path)
            depth = SpoolDepth()
            do {
                try index.walk(after: note?.delivered ?? 0) { record, _ in
                    depth.append(bytes: record.length, events: record.events, at: record.receivedAt)
                    return true
                }
            } catch is SpoolIndex.Outdated {
                if !isLast { continue }
            }
            let missing = note.map { index.missing(after: $0.delivered, through: max($0.highest, index.highest)) } ?? 0
            guard missing > 0 else { return }
            if isLast || note == SpoolNote.values(at: SpoolLog.notePath(path)) {
                damage = "\(missing) requests are missing"
                return
            }
        }
    }

    /// Whether a process has a spool open; nil if the system does not say. Trying to take its lock could keep a daemon
    /// that is starting from getting it.
    ///
    /// - Parameter locks: the system's list of locks.
    static func isOpen(_ spool: String, locks: String = "/proc/locks") -> Bool? {
        var status = stat()
        guard stat(spool + ".lock", &status) == 0 else { return false }
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
