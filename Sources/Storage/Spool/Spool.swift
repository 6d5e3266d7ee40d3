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
    /// Not private: tests and the extensions use it.
    let database: DatabaseQueue
    private let lock: FileLock
    let logger: Logger
    private let queue: CommitQueue<Entry, Void>
    private let state: Mutex<State>

    /// Counted as requests go in and out. Reading it from the file would cost more with each request that waits there.
    private struct State {
        var depth: SpoolDepth
        /// Bytes of requests that are on their way into the file.
        var reservedBytes = 0
        /// SQLite's `data_version`: it changes when another connection has written to the file.
        var dataVersion: Int64?
        var unreadable: Int
        var origin: DatabaseIdentity?
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
            guard let identity else { return spool }
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
            throw .unusable("\(folder) cannot be made: \(reason)")
        }
    }

    /// Opens the spools of a folder that hold requests and that no process has open. Their daemon has not been started
    /// again, or runs with another database, or was started again while its former process still had the spool open.
    ///
    /// - Returns: the spools. They are locked as long as the caller holds them.
    package static func abandoned(in folder: String, logger: Logger) throws -> [Spool] {
        try numbers.lazy.map { path(folder, $0) }.filter { FileManager.default.fileExists(atPath: $0) }.compactMap {
            path in
            guard let lock = try FileLock(path: path + ".lock") else { return nil }
            let spool = try Spool(path: path, lock: lock, byteLimit: 0, logger: logger)
            return spool.depth.batches > 0 ? spool : nil
        }
    }

    private static let numbers = 1...64

    private static func path(_ folder: String, _ number: Int) -> String { "\(folder)/spool-\(number).sqlite" }

    private init(path: String, lock: FileLock, byteLimit: Int, logger: Logger) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "spool"
        // `tributary` may remove a person's events from the file at the same time (SpoolFolder).
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            // An answered event must survive a loss of power, and nothing of a deleted one may stay in the file.
            try database.execute(sql: "pragma synchronous = full; pragma secure_delete = on")
        }
        // SQLite gives its log files the permissions of this file.
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let state: State
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            state = try database.write { database in
                try database.execute(sql: StoredSQL.createSpool)
                try Self.takeBackUnreadable(database)
                return State(
                    depth: try SpoolDepth.read(database),
                    dataVersion: try Int64.fetchOne(database, sql: "pragma data_version"),
                    unreadable: try Self.countUnreadable(database),
                    origin: try Self.readOrigin(database)
                )
            }
        } catch let error as DatabaseError {
            throw SpoolError.unusable("\(path): \(error.message ?? "\(error)")")
        }
        self.path = path
        self.lock = lock
        self.byteLimit = byteLimit
        self.logger = logger
        queue = CommitQueue(waitingLimit: Self.waitingBytes, groupLimit: Self.groupBytes)
        self.state = Mutex(state)
    }

    package var depth: SpoolDepth { state.withLock { $0.depth } }

    /// The number of requests that cannot be read. They are not part of ``depth``.
    package var unreadable: Int { state.withLock { $0.unreadable } }

    /// The database that the spool is tied to (``claim(for:)``); nil if it is not.
    var origin: DatabaseIdentity? {
        get { state.withLock { $0.origin } }
        set { state.withLock { $0.origin = newValue } }
    }

    /// Appends a submission. Returns when it is on disk.
    ///
    /// - Throws: `SpoolError.full`, immediately, if the file or the queue before it is full.
    package func append(_ submission: Submission) async throws(SpoolError) {
        let payload = Data(SubmissionCoding.encode(submission))
        let hasRoom = state.withLock { state in
            guard state.depth.bytes + state.reservedBytes + payload.count <= byteLimit else { return false }
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
                try await write { database in
                    for entry in entries {
                        try database.execute(
                            sql: StoredSQL.appendSpool,
                            arguments: [entry.payload, entry.events, entry.receivedAt]
                        )
                    }
                } thenCount: { depth, _ in
                    for entry in entries {
                        depth.append(bytes: entry.payload.count, events: entry.events, at: entry.receivedAt)
                    }
                }
                return entries.map { _ in .success(()) }
            } catch {
                let failure = SpoolError(error)
                return entries.map { _ in .failure(failure) }
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
    package func oldest(events: Int = 5_000, bytes: Int = Spool.groupBytes) async throws -> Batch? {
        while true {
            let (batch, unreadable) = try await database.read { database -> (Batch?, Int64?) in
                var batch = Batch(position: 0, submissions: [])
                var (eventCount, byteCount) = (0, 0)
                let rows = try Row.fetchCursor(database, sql: StoredSQL.readSpool)
                while eventCount < events, byteCount < bytes, let row = try rows.next() {
                    let position: Int64 = row["position"]
                    let payload: Data = row["payload"]
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
            if batch != nil { return batch }
            guard let unreadable else { return nil }
            logger.error("a spooled request cannot be read and is set aside", metadata: ["position": "\(unreadable)"])
            try await remove(through: unreadable, settingAside: true)
        }
    }

    /// Removes delivered requests, even if the task is cancelled: otherwise they would be delivered again.
    package func remove(through position: Int64) async throws {
        try await Task { try await remove(through: position, settingAside: false) }.value
    }

    private func remove(through position: Int64, settingAside: Bool) async throws {
        try await write { database in
            if settingAside { try Self.setAside(position, database) }
            let removed = try SpoolDepth.read(database, through: position)
            try database.execute(sql: StoredSQL.removeFromSpool, arguments: [position])
            return (removed, try Int64.fetchOne(database, sql: StoredSQL.readOldestOfSpool))
        } thenCount: { depth, removed in
            depth.remove(removed.0, oldestLeft: removed.1)
        }
        if settingAside {
            let unreadable = try await database.read { try Self.countUnreadable($0) }
            state.withLock { $0.unreadable = unreadable }
        }
        if depth.batches == 0 {
            // Give the disk space back: otherwise the file keeps its size, and the log keeps the delivered requests.
            try? await database.vacuum()
            _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
    }

    /// Counts the file again if another process has removed requests from it (``SpoolFolder``). Afterwards the depth is
    /// right.
    package func recount() async throws {
        try await write { _ in
        } thenCount: { _, _ in
        }
    }

    /// Writes, and updates the depth before the next write begins. If another process has written to the file, counts
    /// the file again.
    private func write<Change: Sendable>(
        _ body: @Sendable @escaping (Database) throws -> Change,
        thenCount count: @Sendable @escaping (inout SpoolDepth, Change) -> Void
    ) async throws {
        try await database.writeWithoutTransaction { [self] database in
            var change: Change?
            try database.inTransaction(.immediate) {
                change = try body(database)
                return .commit
            }
            guard let change else { return }
            // This connection's own writes do not change it.
            let version = try? Int64.fetchOne(database, sql: "pragma data_version")
            if state.withLock({ $0.dataVersion }) != version, let counted = try? SpoolDepth.read(database) {
                state.withLock { state in
                    state.depth = counted
                    state.dataVersion = version
                }
            } else {
                state.withLock { count(&$0.depth, change) }
            }
        }
    }
}
