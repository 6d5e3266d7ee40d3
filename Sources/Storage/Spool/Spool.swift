import Dispatch
package import Events
import Foundation
import InboundLinks
package import Logging
import Synchronization
import Time

/// Events that are accepted while PostgreSQL is unavailable: a log on local disk. Each append is synced to disk before
/// the request is answered, and the events are delivered later, in order.
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

    /// Bytes of requests that the log may hold. An append beyond that throws ``SpoolError/full``.
    package let byteLimit: Int
    /// The folder of the log. Other files of the spool lie beside it, with its name and an extension.
    package let path: String
    private let lock: FileLock
    let logger: Logger
    private let queue: CommitQueue<SpoolLog.Entry, Void>
    /// Used on the thread of `disk`, which may wait for the disk.
    private let log: Mutex<SpoolLog>
    private let disk: DispatchQueue
    let state: Mutex<State>

    struct State {
        var depth = SpoolDepth()
        var unreadable = 0
        /// Bytes of requests that are on their way into the log.
        var reservedBytes = 0
        /// Why the last append failed, and how many bytes it had. A byte limit is no reason.
        var refusal: (error: SpoolError, bytes: Int)?
        var origin: DatabaseIdentity?
        /// Whether it was logged that a file cannot be deleted.
        var hasComplained = false
    }

    /// Opens the first spool of a folder that no other process has open and that holds no requests of another database.
    /// Creates one if there is no such spool.
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
        try await open(
            in: folder,
            of: identity,
            byteLimit: byteLimit,
            fileBytes: SpoolLog.defaultFileBytes,
            logger: logger
        )
    }

    static func open(
        in folder: String,
        of identity: DatabaseIdentity?,
        byteLimit: Int,
        fileBytes: Int,
        logger: Logger
    ) async throws -> Spool {
        try makeFolder(folder)
        for number in numbers {
            let path = path(folder, number)
            guard let lock = try FileLock(path: path + ".lock") else { continue }
            let log = try openLog(path, fileBytes: fileBytes)
            let spool = Spool(log, lock: lock, byteLimit: byteLimit, logger: logger)
            guard let identity, spool.refusal == nil else { return spool }
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
            let spool = Spool(try openLog(path), lock: lock, byteLimit: 0, logger: logger)
            return spool.depth.batches > 0 || spool.log.withLock { $0.missing > 0 } ? spool : nil
        }
    }

    private static let numbers = 1...64

    private static func path(_ folder: String, _ number: Int) -> String { "\(folder)/spool-\(number)" }

    private static func openLog(
        _ path: String,
        fileBytes: Int = SpoolLog.defaultFileBytes
    ) throws(SpoolError) -> SpoolLog {
        do { return try SpoolLog(path: path, fileBytes: fileBytes) } catch { throw SpoolError(error) }
    }

    private init(_ log: sending SpoolLog, lock: FileLock, byteLimit: Int, logger: Logger) {
        path = log.path
        if log.missing > 0 {
            logger.error(
                "a spool file is damaged; its sound requests will be delivered",
                metadata: ["file": "\(path)", "missing": "\(log.missing)"]
            )
        }
        do {
            try log.takeBackUnreadable { Self.submission($0).map { Self.entry($0) } }
        } catch {
            // They stay where they are until there is room.
            logger.debug("requests that can be read again stay set aside", metadata: ["error": "\(error)"])
        }
        self.lock = lock
        self.byteLimit = byteLimit
        self.logger = logger
        queue = CommitQueue(waitingLimit: Self.waitingBytes, groupLimit: Self.groupBytes)
        disk = DispatchQueue(label: "spool")
        var state = State(depth: log.depth, unreadable: log.unreadable)
        if !log.hasFolder { state.refusal = (.full, 1) }
        do {
            state.origin = try Self.origin(of: path)
        } catch {
            // Its requests belong to the database that claims it first.
            logger.error("the spool's database is not known any more", metadata: ["error": "\(error)"])
        }
        self.log = Mutex(log)
        self.state = Mutex(state)
    }

    /// Runs `body` on a thread that may wait for the disk, and publishes what waits afterwards.
    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (SpoolLog) throws -> Value
    ) async throws(SpoolError) -> Value {
        let result = await withCheckedContinuation { continuation in
            // The caller keeps the spool, and nobody else may: with it, the lock on its files would end too late.
            disk.async { [unowned self] in
                let result = log.withLock { log in
                    let result = Result { try body(log) }
                    state.withLock { ($0.depth, $0.unreadable) = (log.depth, log.unreadable) }
                    return result
                }
                continuation.resume(returning: result)
            }
        }
        do { return try result.get() } catch { throw SpoolError(error) }
    }

    package var depth: SpoolDepth { state.withLock { $0.depth } }

    /// The number of requests that cannot be read. They are not part of ``depth``.
    package var unreadable: Int { state.withLock { $0.unreadable } }

    /// Why requests cannot be appended now; nil if the last one was, or if none was tried.
    package var refusal: SpoolError? { state.withLock { $0.refusal?.error } }

    /// Has the note of the log synced. Call it now and then.
    package func syncNote() async {
        try? await onDisk { $0.note.sync() }
    }

    /// Appends a submission. Returns when it is on disk.
    ///
    /// - Throws: `SpoolError.full`, immediately, if the log or the queue before it is full.
    package func append(_ submission: Submission) async throws(SpoolError) {
        let entry = Self.entry(submission)
        let bytes = entry.payload.count
        let hasRoom = state.withLock { state in
            guard state.depth.bytes + state.reservedBytes + bytes <= byteLimit else { return false }
            state.reservedBytes += bytes
            return true
        }
        guard hasRoom else { throw .full }
        defer { state.withLock { $0.reservedBytes -= bytes } }
        do {
            try await queue.submit(entry, weight: bytes)
        } catch CommitQueue<SpoolLog.Entry, Void>.Refusal.full {
            throw .full
        } catch {
            throw SpoolError(error)
        }
    }

    private static func entry(_ submission: Submission) -> SpoolLog.Entry {
        SpoolLog.Entry(
            payload: SubmissionJSON.encode(submission),
            events: submission.events.count,
            receivedAt: submission.receivedAt.microseconds
        )
    }

    /// Nil if the payload cannot be read.
    private static func submission(_ payload: [UInt8]) -> Submission? { try? SubmissionJSON.decode(payload) }

    /// Writes appended submissions to the log until ``close()`` is called. ``append(_:)`` returns only while this runs.
    package func run() async {
        await queue.run(commit: { entries in
            do throws(SpoolError) {
                try await onDisk { try $0.append(entries) }
                state.withLock { $0.refusal = nil }
                return entries.map { _ in .success(()) }
            } catch {
                let bytes = entries.map(\.payload.count).max() ?? 0
                state.withLock { $0.refusal = (error, bytes) }
                return entries.map { _ in .failure(error) }
            }
        })
    }

    package func close() {
        queue.close()
    }

    /// Tries to write as much as the append that failed last, so that ``refusal`` ends when there is room again. Does
    /// nothing if the last append succeeded.
    package func tryWriting() async {
        guard let bytes = state.withLock({ $0.refusal?.bytes }) else { return }
        do {
            try await onDisk { try $0.probe(min(bytes, 1 << 20)) }
            state.withLock { $0.refusal = nil }
        } catch {
            logger.debug("the spool cannot be written", metadata: ["error": "\(error)"])
        }
    }

    /// The oldest submissions, at least one if any waits: about `events` events, and about `bytes` bytes in the log.
    /// Bytes are limited as well, because a request whose events were all rejected is large and has no event.
    ///
    /// A request that cannot be read, because another version wrote it, is set aside and logged, so that it does not
    /// block those behind it. One that is missing is passed.
    ///
    /// - Parameter position: only those after it. One that cannot be read is set aside only when those before it are
    ///   removed; until then, nothing behind it is found.
    package func oldest(
        after position: Int64 = 0,
        events: Int = 5_000,
        bytes: Int = Spool.groupBytes
    ) async throws -> Batch? {
        while true {
            // What is appended from here on is not behind the end that is found here.
            let (cursor, payloads, highest) = try await onDisk { log in
                let payloads = try log.payloads(after: position, events: events, bytes: bytes)
                return (log.cursor, payloads, log.note.values.highest)
            }
            var batch = Batch(position: 0, submissions: [])
            for (position, payload) in payloads {
                guard let submission = Self.submission(payload) else { break }
                batch.submissions.append(submission)
                batch.position = position
            }
            if !batch.submissions.isEmpty { return batch }
            guard position <= cursor else { return nil }
            guard let (position, payload) = payloads.first else {
                // The end of the log is gone.
                report(try await onDisk { try $0.pass(through: highest) })
                return nil
            }
            logger.error("a spooled request cannot be read and is set aside", metadata: ["position": "\(position)"])
            report(try await onDisk { try $0.setAside(position, payload) })
        }
    }

    /// Removes delivered requests, even if the task is cancelled: otherwise they would be delivered again.
    ///
    /// That needs no room on the disk.
    package func remove(through position: Int64) async throws {
        report(try await onDisk { try $0.pass(through: position) })
    }

    private func report(_ passage: SpoolLog.Passage) {
        if passage.lost > 0 {
            logger.error(
                "requests of a damaged spool file are lost; the others are delivered",
                metadata: ["file": "\(path)", "lost": "\(passage.lost)"]
            )
        }
        let isNews = state.withLock { state in
            defer { state.hasComplained = passage.failure != nil }
            return !state.hasComplained
        }
        if let error = passage.failure, isNews {
            logger.error("delivered events cannot be removed from the spool", metadata: ["error": "\(error)"])
        }
    }

    /// Counts the log again if another process has removed requests from it (``SpoolFolder``). Afterwards the depth is
    /// right.
    package func recount() async throws {
        try await onDisk { try $0.readAgain() }
    }
}
