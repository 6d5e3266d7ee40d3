package import Events
import Foundation
import GRDB
import InboundLinks
package import Logging
import Synchronization
import Time

/// Events that are accepted while PostgreSQL is unavailable: an SQLite file on local disk. Each append is synced to
/// disk before the request is answered, and the events are delivered later, in order.
///
/// A batch is removed only after PostgreSQL has committed it, so a crash at any point loses nothing. It may be
/// delivered twice, but the writer stores each event id once.
package final class Spool: Sendable {
    /// Submissions in the order in which they were appended.
    package struct Batch: Sendable {
        /// The position of the last of them; ``remove(through:)`` takes it.
        package var position: Int64
        package var submissions: [Submission]
    }

    /// Bytes that may wait in memory for the next append: 64 MiB.
    private static let waitingBytes = 64 << 20
    /// Bytes that are written, or delivered, at a time: 8 MiB.
    private static let groupBytes = 8 << 20

    /// Bytes of requests that the file may hold. An append beyond that throws ``SpoolError/full``.
    package let byteLimit: Int
    package let path: String
    private let lock: FileLock
    let logger: Logger
    private let queue: CommitQueue<Entry, Void>
    let state: Mutex<State>

    /// The contents of the file are counted as requests go in and out. Reading them from the file would cost more with
    /// each request that waits there.
    struct State {
        /// Nil if there is no room for a file.
        var file: SpoolFile?
        /// Whether another file is about to take the place of the one that was there.
        var isReplacing = false
        /// Bytes of requests that are on their way into the file.
        var reservedBytes = 0
        /// Requests up to this position need not be delivered again. Those that could not be removed are still there.
        var cursor: Int64
        /// Whether delivered requests, or requests to set aside, could not be removed from the file.
        var holdsRemains = false
        /// The requests that were passed over because they cannot be read, and that could not be set aside.
        var skipped: [Int64] = []
        /// Why the last append failed, and how many bytes it had. A byte limit is no reason.
        var refusal: (error: SpoolError, bytes: Int)?
    }

    private struct Entry: Sendable {
        var payload: Data
        var events: Int
        var receivedAt: Int64
    }

    /// Opens the first spool of a folder that no other process has open and that holds no requests of another database.
    /// Creates a file if there is no such spool.
    ///
    /// - Parameters:
    ///   - folder: created if missing, readable by its owner only.
    ///   - identity: nil if the database is unavailable. Then any spool is taken, and ``claim(for:)`` compares later.
    ///   - byteLimit: default 1 GiB.
    package static func open(
        in folder: String,
        of identity: DatabaseIdentity?,
        byteLimit: Int = 1 << 30,
        logger: Logger
    ) async throws -> Spool {
        try makeFolder(folder)
        for number in numbers {
            let path = path(folder, number)
            guard let lock = try FileLock(path: path + ".lock") else { continue }
            let spool = try Spool(path: path, lock: lock, byteLimit: byteLimit, logger: logger)
            guard let identity, spool.hasFile else { return spool }
            if try await spool.adopt(identity) { return spool }
        }
        throw SpoolError.unusable("all 64 spools in \(folder) are open or hold events of other databases")
    }

    private static func makeFolder(_ folder: String) throws(SpoolError) {
        do {
            // The folders above keep their default mode, because other accounts use them too (the private cluster's).
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: folder).deletingLastPathComponent().path,
                withIntermediateDirectories: true
            )
            if !FileManager.default.fileExists(atPath: folder) {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            }
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause.map { String(cString: strerror(Int32($0.code))) } ?? error.localizedDescription
            // Only another setting helps where the path can be no folder's. A disk may be mounted later.
            var status = stat()
            let path = stat(folder, &status) == 0 ? 0 : errno
            switch path {
            case ENAMETOOLONG, ENOTDIR, EINVAL: throw .badFolder("\(folder) cannot be made: \(reason)")
            default: throw .unusable("\(folder) cannot be made: \(reason)")
            }
        }
    }

    /// Opens the spools of a folder that hold requests and that no process has open. Their daemon has not been started
    /// again, or runs with another database, or was started again while its former process still had the spool open.
    ///
    /// - Parameter own: the path of the spool that the caller has open.
    /// - Returns: the spools. They are locked as long as the caller holds them.
    package static func abandoned(in folder: String, besides own: String? = nil, logger: Logger) throws -> [Spool] {
        let paths = numbers.lazy.map { path(folder, $0) }.filter { $0 != own }
        return try paths.filter { FileManager.default.fileExists(atPath: $0) }.compactMap { path in
            guard let lock = try FileLock(path: path + ".lock") else { return nil }
            let spool = try Spool(path: path, lock: lock, byteLimit: 0, logger: logger)
            return spool.depth.batches > 0 ? spool : nil
        }
    }

    private static let numbers = 1...64

    private static func path(_ folder: String, _ number: Int) -> String { "\(folder)/spool-\(number).sqlite" }

    private init(path: String, lock: FileLock, byteLimit: Int, logger: Logger) throws {
        let file: SpoolFile?
        do {
            file = try SpoolFile.open(path: path, logger: logger)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            logger.error("the spool cannot be opened: its disk is full", metadata: ["file": "\(path)"])
            file = nil
        } catch let error as DatabaseError {
            throw SpoolError.unusable("\(path): \(error.message ?? "\(error)")")
        }
        self.path = path
        self.lock = lock
        self.byteLimit = byteLimit
        self.logger = logger
        queue = CommitQueue(waitingLimit: Self.waitingBytes, groupLimit: Self.groupBytes)
        state = Mutex(
            State(
                file: file,
                cursor: file?.ledger.note.delivered ?? 0,
                holdsRemains: file?.contents.holdsRemains ?? false
            )
        )
    }

    /// Not private: tests and the extensions use it.
    var database: DatabaseQueue {
        get throws(SpoolError) { try file.database }
    }

    var file: SpoolFile {
        get throws(SpoolError) {
            guard let file = state.withLock({ $0.file }) else { throw .full }
            return file
        }
    }

    var hasFile: Bool { state.withLock { $0.file != nil } }

    package var depth: SpoolDepth { state.withLock { $0.file?.contents.depth ?? SpoolDepth() } }

    /// The number of requests that cannot be read. They are not part of ``depth``.
    package var unreadable: Int { state.withLock { $0.file?.contents.unreadable ?? 0 } }

    /// Why requests cannot be appended now; nil if the last one was, or if none was tried.
    package var refusal: SpoolError? { state.withLock { $0.file == nil ? .full : $0.refusal?.error } }

    /// The database that the spool is tied to (``claim(for:)``); nil if it is not.
    var origin: DatabaseIdentity? {
        get { state.withLock { $0.file?.contents.origin } }
        set { state.withLock { $0.file?.contents.origin = newValue } }
    }

    func note(_ change: (inout SpoolLedger.Note) -> Void) {
        state.withLock { $0.file }?.ledger.update(change)
    }

    /// Has the ledger's notes synced. Call it now and then.
    package func syncLedger() {
        state.withLock { $0.file }?.ledger.sync()
    }

    /// Appends a submission. Returns when it is on disk.
    ///
    /// - Throws: `SpoolError.full`, immediately, if the file or the queue before it is full.
    package func append(_ submission: Submission) async throws(SpoolError) {
        let payload = Data(SubmissionCoding.encode(submission))
        let hasRoom = state.withLock { state in
            guard (state.file?.contents.depth.bytes ?? 0) + state.reservedBytes + payload.count <= byteLimit else {
                return false
            }
            state.reservedBytes += payload.count
            return true
        }
        guard hasRoom else { throw .full }
        defer { state.withLock { $0.reservedBytes -= payload.count } }
        let entry = Entry(
            payload: payload,
            events: submission.events.count,
            receivedAt: submission.receivedAt.microseconds
        )
        do {
            try await queue.submit(entry, weight: payload.count)
        } catch CommitQueue<Entry, Void>.Refusal.full {
            throw .full
        } catch let error as SpoolError {
            throw error
        } catch {
            throw .unusable("\(error)")
        }
    }

    /// Writes appended submissions to the file until ``close()`` is called. ``append(_:)`` returns only while this
    /// runs.
    package func run() async {
        await queue.run { entries in
            do {
                try await append(entries)
                state.withLock { $0.refusal = nil }
                return entries.map { _ in .success(()) }
            } catch {
                let failure = SpoolError(error)
                let bytes = entries.map(\.payload.count).max() ?? 0
                state.withLock { $0.refusal = (failure, bytes) }
                return entries.map { _ in .failure(failure) }
            }
        }
    }

    private func append(_ entries: [Entry]) async throws {
        // In a new file, if this one shows to be damaged.
        try await replacingDamagedFile(tries: 2) { file in
            try await write(to: file) { database in
                for entry in entries {
                    try database.execute(
                        sql: StoredSQL.appendSpool,
                        arguments: [entry.payload, entry.events, entry.receivedAt]
                    )
                }
                return database.lastInsertedRowID
            } thenCount: { state, highest in
                for entry in entries {
                    state.file?.contents.depth.append(
                        bytes: entry.payload.count,
                        events: entry.events,
                        at: entry.receivedAt
                    )
                }
                file.ledger.update { $0.highest = max($0.highest, highest) }
            }
        }
    }

    package func close() {
        queue.close()
    }

    /// The oldest submissions, at least one if any waits: about `events` events, and about `bytes` bytes in the file.
    /// Bytes are limited as well, because a request whose events were all rejected is large and has no event.
    ///
    /// A request that cannot be read is set aside in the file and logged, so that it does not block those behind it.
    /// Either the file was damaged, or another version wrote it.
    ///
    /// - Parameter position: only those after it. One that cannot be read is set aside only when those before it are
    ///   removed; until then, nothing behind it is found.
    package func oldest(
        after position: Int64 = 0,
        events: Int = 5_000,
        bytes: Int = Spool.groupBytes
    ) async throws -> Batch? {
        // Without a file nothing waits here. The database must not wait for room on this disk.
        while hasFile {
            let cursor = state.withLock { $0.cursor }
            let start = max(cursor, position)
            // The requests of a damaged file are salvaged from there. Those behind them are in the new file.
            guard
                let (batch, unreadable) = try await replacingDamagedFile({ file in
                    try await read(from: file, after: start, events: events, bytes: bytes)
                })
            else { continue }
            if batch != nil { return batch }
            guard let unreadable, start == cursor else { return nil }
            logger.error("a spooled request cannot be read and is set aside", metadata: ["position": "\(unreadable)"])
            try await remove(through: unreadable, settingAside: true)
        }
        return nil
    }

    private func read(
        from file: SpoolFile,
        after cursor: Int64,
        events: Int,
        bytes: Int
    ) async throws -> (Batch?, Int64?) {
        let base = file.ledger.note.base
        return try await file.database.read { database -> (Batch?, Int64?) in
            let highest = file.ledger.note.highest
            var batch = Batch(position: cursor, submissions: [])
            var (eventCount, byteCount) = (0, 0)
            let rows = try Row.fetchCursor(database, sql: StoredSQL.readSpool, arguments: [cursor])
            while eventCount < events, byteCount < bytes {
                guard let row = try rows.next() else {
                    guard batch.position >= highest || highest <= base else {
                        throw SpoolDamage("the last \(highest - batch.position) requests are missing")
                    }
                    break
                }
                let position: Int64 = row["position"]
                guard position <= max(batch.position + 1, base + 1) else {
                    throw SpoolDamage("\(position - batch.position - 1) requests are missing")
                }
                let payload = Data.fromDatabaseValue(row["payload"]) ?? Data()
                guard let submission = try? SubmissionCoding.decode(Array(payload)) else {
                    return (batch.submissions.isEmpty ? nil : batch, position)
                }
                eventCount += max(submission.events.count, 1)
                byteCount += payload.count
                batch.position = position
                batch.submissions.append(submission)
            }
            return (batch.submissions.isEmpty ? nil : batch, nil)
        }
    }

    /// Counts the file again if another process has removed requests from it (``SpoolFolder``). Afterwards the depth is
    /// right.
    package func recount() async throws {
        try await write(to: file) { _ in
        } thenCount: { _, _ in
        }
    }

    /// Writes, and updates the depth before the next write begins. If another process has written to the file, counts
    /// the file again.
    func write<Change: Sendable>(
        to file: SpoolFile,
        _ body: @Sendable @escaping (Database) throws -> Change,
        thenCount count: @Sendable @escaping (inout State, Change) -> Void
    ) async throws {
        try await file.database.writeWithoutTransaction { [self] database in
            guard isCurrent(file) else { throw SpoolError.unusable("another file has taken its place") }
            var change: Change?
            try database.inTransaction(.immediate) {
                change = try body(database)
                return .commit
            }
            guard let change else { return }
            let (cursor, former) = state.withLock { state in
                count(&state, change)
                return (state.cursor, state.file?.contents.dataVersion)
            }
            // This connection's own writes do not change it.
            let version = try? Int64.fetchOne(database, sql: "pragma data_version")
            if former != version, let counted = try? SpoolDepth.read(database, after: cursor) {
                state.withLock { state in
                    state.file?.contents.depth = counted
                    state.file?.contents.dataVersion = version
                }
            }
        }
    }

    func isCurrent(_ file: SpoolFile) -> Bool { state.withLock { $0.file?.database === file.database } }
}
