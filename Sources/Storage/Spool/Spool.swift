import Events
import Foundation
import GRDB
import InboundLinks
import Synchronization

/// Events that were accepted while PostgreSQL was away: a SQLite file on local disk, each append fsynced before it is
/// answered, delivered later in order.
///
/// Delivering is at least once; the writer stores each event once by its id, so the effect is exactly once. A batch
/// leaves the file only after PostgreSQL has committed it, so a crash at any point loses nothing.
package final class Spool: Sendable {
    /// Submissions in the order in which they were appended.
    package struct Batch: Sendable {
        /// The position of the last of them; ``remove(through:)`` takes it.
        package var position: Int64
        package var submissions: [EventWriter.Submission]
    }

    /// Bytes that wait in memory for the next append.
    private static let waitingBytes = 64 << 20
    private static let groupBytes = 8 << 20

    /// Bytes of events that the file may hold. More is refused as full.
    package let byteLimit: Int
    private let database: DatabaseQueue
    private let lock: FileLock
    private let queue: CommitQueue<Entry, Void>
    private let state: Mutex<SpoolDepth>

    private struct Entry: Sendable {
        var payload: Data
        var events: Int
        var receivedAt: Int64
    }

    /// Opens the first spool of a folder that no other process has open; makes it where there is none.
    ///
    /// - Parameters:
    ///   - folder: made, readable by its owner only.
    ///   - byteLimit: default 1 GiB.
    package convenience init(folder: String, byteLimit: Int = 1 << 30) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for number in 1...64 {
            let path = "\(folder)/spool-\(number).sqlite"
            if let lock = try FileLock(path: path + ".lock") {
                try self.init(path: path, lock: lock, byteLimit: byteLimit)
                return
            }
        }
        throw SpoolError.unusable("64 processes have a spool open in \(folder)")
    }

    /// The spools of a folder that a process left behind with events in them and that no other has open.
    package static func abandoned(in folder: String) throws -> [Spool] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { $0.hasSuffix(".sqlite") }.sorted().compactMap { name in
            let path = "\(folder)/\(name)"
            guard let lock = try FileLock(path: path + ".lock") else { return nil }
            let spool = try Spool(path: path, lock: lock, byteLimit: 0)
            return spool.depth.batches > 0 ? spool : nil
        }
    }

    private init(path: String, lock: FileLock, byteLimit: Int) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "spool"
        configuration.prepareDatabase { database in
            // An answered event must outlive a loss of power.
            try database.execute(sql: "pragma synchronous = full")
        }
        // SQLite gives its side files the permissions of this one.
        if !FileManager.default.fileExists(atPath: path) {
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let depth = try database.write { database in
            try database.execute(sql: StoredSQL.createSpool)
            return try SpoolDepth.read(database)
        }
        self.database = database
        self.lock = lock
        self.byteLimit = byteLimit
        queue = CommitQueue(waitingLimit: Self.waitingBytes, groupLimit: Self.groupBytes)
        state = Mutex(depth)
    }

    package var depth: SpoolDepth { state.withLock { $0 } }

    /// Keeps a submission. Returns after it is on disk.
    ///
    /// - Throws: `SpoolError.full` at once when the file or the queue before it is full.
    package func append(_ submission: EventWriter.Submission) async throws(SpoolError) {
        let payload = Data(SubmissionCoding.encode(submission))
        guard state.withLock({ $0.bytes + payload.count <= byteLimit }) else { throw .full }
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

    /// Appends what is asked for until ``close()``.
    package func run() async {
        await queue.run { entries in
            do {
                let depth = try await database.write { database in
                    for entry in entries {
                        try database.execute(
                            sql: StoredSQL.appendSpool,
                            arguments: [entry.payload, entry.events, entry.receivedAt]
                        )
                    }
                    return try SpoolDepth.read(database)
                }
                state.withLock { $0 = depth }
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

    /// The oldest submissions, at least one where there is one, else about `events` events.
    package func oldest(events: Int = 5_000) async throws -> Batch? {
        try await database.read { database in
            var batch: Batch?
            var count = 0
            let rows = try Row.fetchCursor(database, sql: StoredSQL.readSpool)
            while count < events, let row = try rows.next() {
                let submission = try SubmissionCoding.decode(Array(row["payload"] as Data))
                count += max(submission.events.count, 1)
                batch = Batch(position: row["position"], submissions: (batch?.submissions ?? []) + [submission])
            }
            return batch
        }
    }

    /// Forgets what has been delivered.
    package func remove(through position: Int64) async throws {
        let depth = try await database.write { database in
            try database.execute(sql: StoredSQL.removeFromSpool, arguments: [position])
            return try SpoolDepth.read(database)
        }
        if depth.batches == 0 {
            // Give the disk back: the file keeps its size otherwise.
            try? await database.vacuum()
        }
        state.withLock { $0 = depth }
    }
}
