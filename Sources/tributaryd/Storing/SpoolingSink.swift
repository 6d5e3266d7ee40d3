import Answering
import Events
import Ingest
import Logging
import Postgres
import Storage
import Synchronization

/// Stores batches in PostgreSQL, and in the spool while PostgreSQL is unavailable.
///
/// A batch that was spooled because its commit took too long may have been committed after all. Its event ids make sure
/// that it is stored once.
final class SpoolingSink: EventSink {
    private enum Database {
        /// The database has not been reached since the start. Batches go to the spool.
        case starting
        case present
        /// Batches go to the spool immediately, until the courier has delivered a piece of it, or nothing waits there.
        case away
    }

    private let writer: EventWriter
    private let spool: Spool
    private let patience: Deadline
    private let logger: Logger
    private let refusals: RareLog
    private let state: Mutex<State>
    /// Whether the database has stored an event since ``hasStoredSinceAsked()``.
    private let hasStored = Atomic(false)

    private struct State {
        var database: Database
        /// How often the database was found away.
        var departures = 0
        var log = PresenceLog()
        /// Why the database was away last.
        var reason = ""
    }

    /// - Parameters:
    ///   - patience: how long a commit may take before the batch goes to the spool. Shorter than a request's deadline.
    ///   - isPresent: whether the database was available at the start.
    init(writer: EventWriter, spool: Spool, patience: Duration, isPresent: Bool, logger: Logger) {
        self.writer = writer
        self.spool = spool
        self.patience = Deadline(patience)
        self.logger = logger
        refusals = RareLog(
            "events cannot be stored, neither in the database nor in the spool",
            counting: "requests",
            logger: logger
        )
        state = Mutex(State(database: isPresent ? .present : .starting))
    }

    var isDatabasePresent: Bool { state.withLock { $0.database == .present } }

    /// For ``markPresent(since:)``: ask before the database is asked.
    var departures: Int { state.withLock { $0.departures } }

    func hasStoredSinceAsked() -> Bool { hasStored.exchange(false, ordering: .relaxed) }

    func store(_ submission: Submission, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void) {
        commit(submission) { [self] result in
            switch result {
            case .success(let receipt): end(.success(receipt))
            case .failure(.overloaded): end(.failure(.overloaded(retryAfter: .seconds(1))))
            case .failure: keepInSpool(submission, end: end)
            }
        }
    }

    /// Stores a submission in PostgreSQL, never in the spool.
    ///
    /// - Parameter end: called exactly once, on any thread: immediately with an error while PostgreSQL is unavailable.
    func commit(_ submission: Submission, end: @escaping @Sendable (Result<StoreReceipt, EventWriterError>) -> Void) {
        guard isDatabasePresent else { return end(.failure(.away)) }
        let fail: @Sendable (EventWriterError) -> Void = { [self] error in
            switch error {
            case .overloaded, .partlyUnavailable: break
            default: markAway(because: error)
            }
            end(.failure(error))
        }
        let number = patience.begin { [writer] in
            fail(writer.recordTimeout(of: submission) ? .partlyUnavailable(nil) : .tookTooLong)
        }
        writer.store(contentsOf: [submission]) { [patience, self] result in
            guard patience.end(number) else { return }
            switch result {
            case .success(let receipts):
                hasStored.store(true, ordering: .relaxed)
                let (duplicates, refused) = (receipts[0].duplicates, receipts[0].refused)
                end(.success(StoreReceipt(duplicates: duplicates, stored: .database, refused: refused)))
            case .failure(let error):
                fail(error)
            }
        }
    }

    private func keepInSpool(
        _ submission: Submission,
        end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void
    ) {
        Task {
            do {
                try await spool.append(submission)
                let repeated = submission.events.count - Set(submission.events.lazy.map(\.id)).count
                end(.success(StoreReceipt(duplicates: repeated, stored: .spool)))
            } catch {
                refusals.record("\(error)")
                end(.failure(.unavailable(retryAfter: .seconds(5))))
            }
        }
    }

    /// The courier calls this when the database has stored something, or when nothing waits for it.
    ///
    /// - Parameter departures: from before that. If the database was found away since, its answer says nothing.
    func markPresent(since departures: Int) {
        let isFirst = state.withLock { state in
            guard departures == state.departures else { return false }
            defer { state.database = .present }
            return state.database == .starting
        }
        if isFirst { logger.notice("the database is available") } else { tell() }
    }

    func markAway(because error: any Error) {
        state.withLock { state in
            state.departures += 1
            guard state.database == .present else { return }
            state.database = .away
            state.reason = "\(error)"
        }
        tell()
    }

    /// Logs whether the database is present, if the log does not say so yet. Called at each change, and now and then.
    func tell() {
        let news = state.withLock { state -> (isPresent: Bool, reason: String)? in
            guard state.database != .starting, state.log.says(state.database == .present, at: .now) else { return nil }
            return (state.database == .present, state.reason)
        }
        switch news {
        case (true, _)?: logger.notice("the database is available again")
        case (false, let reason)?:
            logger.error("the database is unavailable; events go to the spool", metadata: ["reason": "\(reason)"])
        case nil: break
        }
    }
}
