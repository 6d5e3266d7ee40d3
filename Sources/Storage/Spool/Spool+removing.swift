import GRDB
import Logging
import Synchronization

/// Requests leave the spool: delivered ones, and ones that cannot be read.
extension Spool {
    /// Removes delivered requests, even if the task is cancelled: otherwise they would be delivered again.
    ///
    /// Without room on the disk they stay in the file, and are passed over.
    package func remove(through position: Int64) async throws {
        try await Task { try await remove(through: position, settingAside: false) }.value
    }

    func remove(through position: Int64, settingAside: Bool) async throws {
        let (current, cursor, skipped) = state.withLock { ($0.file, $0.cursor, $0.skipped) }
        guard let current, position > cursor else { return }
        let asides = skipped + (settingAside ? [position] : [])
        do {
            if !asides.isEmpty {
                // In a transaction before the removal: in between, the requests are in both tables.
                let isCopied: Void? = try await replacingDamagedFile { file in
                    try await write(to: file) { database in
                        for position in asides { try Self.setAside(position, database) }
                    } thenCount: { _, _ in
                    }
                }
                guard isCopied != nil else { return }
            }
            // Before the removal: if it fails, or finds damage, the requests need not be delivered again. And synced
            // before the removal is: otherwise, after a crash, the removed requests would look like missing ones.
            current.ledger.update { $0.delivered = max($0.delivered, position) }
            current.ledger.sync()
            try await replacingDamagedFile { file in
                try await write(to: file) { database in
                    let removed = try SpoolDepth.read(database, after: cursor, through: position)
                    try database.execute(sql: StoredSQL.removeFromSpool, arguments: [position])
                    return (removed, try Self.oldestReceipt(database, after: position))
                } thenCount: { state, removed in
                    state.file?.contents.depth.remove(removed.0, oldestLeft: removed.1)
                    state.file?.contents.unreadable += asides.count
                    state.cursor = max(state.cursor, position)
                    state.skipped = []
                    state.holdsRemains = false
                }
            }
        } catch let error as DatabaseError {
            // The disk is full or fails.
            try await pass(position, after: cursor, in: current, settingAside: settingAside, because: error)
        }
        if depth.batches == 0 { await giveBackRoom() }
    }

    /// Notes that requests need no delivery, though they cannot be removed from the file.
    private func pass(
        _ position: Int64,
        after cursor: Int64,
        in file: SpoolFile,
        settingAside: Bool,
        because error: DatabaseError
    ) async throws {
        let (passed, oldest) = try await file.database.read { database in
            (
                try SpoolDepth.read(database, after: cursor, through: position),
                try Self.oldestReceipt(database, after: position)
            )
        }
        let isNews = state.withLock { state in
            defer { state.holdsRemains = true }
            state.cursor = max(state.cursor, position)
            if settingAside { state.skipped.append(position) }
            state.file?.contents.depth.remove(passed, oldestLeft: oldest)
            return !state.holdsRemains
        }
        if isNews {
            logger.error("delivered events cannot be removed from the spool", metadata: ["error": "\(error)"])
        }
    }

    private static func oldestReceipt(_ database: Database, after position: Int64) throws -> Int64? {
        let value = try DatabaseValue.fetchOne(database, sql: StoredSQL.readOldestOfSpool, arguments: [position])
        return value.flatMap { Int64.fromDatabaseValue($0) }
    }
}
