import Foundation
import GRDB
import Logging
import Synchronization

/// Another file takes the place of the spool's file: of a damaged one, or of one that holds nothing but delivered
/// requests and that a full disk keeps from being emptied.
extension Spool {
    /// Runs `body` with the file. If that finds damage, a new file takes its place, and ``DamagedSpool`` has the
    /// requests.
    ///
    /// - Parameter tries: how often `body` runs, at most.
    /// - Returns: nil if the last try found damage.
    @discardableResult
    func replacingDamagedFile<Value>(
        tries: Int = 1,
        _ body: (SpoolFile) async throws -> Value
    ) async throws -> Value? {
        for attempt in 1...tries {
            let file = try self.file
            do {
                return try await body(file)
            } catch {
                guard let damage = SpoolDamage(error) else {
                    // Another task may have replaced the file meanwhile.
                    if !isCurrent(file), attempt < tries { continue }
                    throw error
                }
                try substitute(file) { try SpoolFile.replace(path, file.ledger.note, because: damage, logger: logger) }
                if attempt == tries, tries > 1 { throw SpoolError.unusable("\(damage)") }
            }
        }
        return nil
    }

    /// Empties the file's disk space after everything was delivered: otherwise the file keeps its size, and the log
    /// keeps the delivered requests.
    func giveBackRoom() async {
        guard let file = state.withLock({ $0.file }) else { return }
        if state.withLock({ !$0.holdsRemains }) {
            try? await file.database.vacuum()
            _ = try? await file.database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            return
        }
        do {
            try substitute(file, onlyIf: isDelivered) {
                // The log first: without its file, SQLite ignores it, but not the other way round.
                for path in [path + "-wal", path + "-shm", path] { unlink(path) }
                return try SpoolFile.open(path: path, logger: logger)
            }
            logger.notice("the spool was full of delivered events; a new file has taken its place")
        } catch {
            logger.error("a new spool file cannot be created", metadata: ["error": "\(error)"])
        }
    }

    /// Gives back the room of delivered requests that could not be removed, once nothing else waits. After a restart,
    /// no removal would do it.
    package func giveBackRemains() async {
        if depth.batches == 0, state.withLock({ $0.holdsRemains }) { await giveBackRoom() }
    }

    /// Whether the file holds nothing that is still to be delivered.
    private func isDelivered(_ database: Database) throws -> Bool {
        let (cursor, skipped) = state.withLock { ($0.cursor, $0.skipped) }
        guard skipped.isEmpty, try Self.countUnreadable(database) == 0 else { return false }
        return try SpoolDepth.read(database, after: cursor).batches == 0
    }

    /// Closes the file and lets `make` take its place. Keys and the database stay noted.
    ///
    /// Until the new file is there, appends fail.
    private func substitute(
        _ file: SpoolFile,
        onlyIf condition: (Database) throws -> Bool = { _ in true },
        by make: () throws -> SpoolFile
    ) throws {
        var keys: [ValidKey] = []
        // Writes look at the state before they begin, and run one after the other: afterwards none goes to this file.
        let isTaken = try file.database.writeWithoutTransaction { database in
            guard isCurrent(file), try condition(database) else { return false }
            keys = (try? Self.readKeys(database)) ?? []
            state.withLock { state in
                state.file = nil
                state.isReplacing = true
            }
            return true
        }
        guard isTaken else { return }
        let new: SpoolFile
        do {
            try file.database.close()
            new = try make()
        } catch {
            state.withLock { $0.isReplacing = false }
            throw error
        }
        let origin = file.ledger.note.origin
        if let origin, new.contents.origin == nil {
            // A full or failing disk must not keep events from being delivered.
            try? new.database.write { [keys] database in
                try Self.write(origin: origin, database)
                try Self.write(keys, database)
            }
        }
        use(new, of: origin)
    }

    private func use(_ file: SpoolFile, of origin: DatabaseIdentity?) {
        var file = file
        if file.contents.origin == nil, let origin {
            file.contents.origin = origin
            file.ledger.update { $0.origin = origin }
        }
        state.withLock { [file] state in
            state.file = file
            state.isReplacing = false
            state.cursor = file.ledger.note.delivered
            state.skipped = []
            state.holdsRemains = false
        }
    }

    /// Tries to write as much as the append that failed last, so that ``refusal`` ends when there is room again. Does
    /// nothing if the last append succeeded.
    package func tryWriting() async {
        let (opens, bytes) = state.withLock { state in
            let opens = state.file == nil && !state.isReplacing
            if opens { state.isReplacing = true }
            return (opens, state.refusal?.bytes)
        }
        if opens {
            if let file = try? SpoolFile.open(path: path, logger: logger) {
                use(file, of: file.ledger.note.origin)
            } else {
                state.withLock { $0.isReplacing = false }
            }
        }
        guard let bytes, let database = try? database else { return }
        do {
            try await database.write { database in
                try database.execute(sql: StoredSQL.fillSpoolProbe, arguments: [min(bytes, 1 << 20)])
            }
            try await database.write { try $0.execute(sql: StoredSQL.emptySpoolProbe) }
            state.withLock { $0.refusal = nil }
        } catch {
            logger.debug("the spool cannot be written", metadata: ["error": "\(error)"])
        }
    }
}
