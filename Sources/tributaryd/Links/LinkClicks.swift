import Events
import Ingest
import Logging
import Redirects
import Storage
import Synchronization
import Time

/// Stores the clicks on short links, in PostgreSQL or the spool, and counts the other requests.
///
/// A visitor waits for PostgreSQL only a moment. Then the click goes to the spool. If it was committed after all, its
/// event id makes sure that it is stored once.
struct LinkClicks: ClickSink {
    private let sink: any EventSink
    private let spool: Spool
    private let patience: Deadline
    private let hits: HitCounter
    private let losses: LossLog

    /// - Parameter wait: how long a visitor may wait for the commit.
    init(sink: any EventSink, spool: Spool, wait: Duration, hits: HitCounter, logger: Logger) {
        self.sink = sink
        self.spool = spool
        self.hits = hits
        patience = Deadline(wait)
        losses = LossLog(logger: logger)
    }

    func store(_ click: Submission, end: @escaping @Sendable (StoreReceipt.Place?) -> Void) {
        let number = patience.begin { keepInSpool(click, end: end) }
        sink.store(click) { [patience] result in
            guard patience.end(number) else { return }
            switch result {
            case .success(let receipt): end(receipt.stored)
            case .failure: keepInSpool(click, end: end)
            }
        }
    }

    private func keepInSpool(_ click: Submission, end: @escaping @Sendable (StoreReceipt.Place?) -> Void) {
        Task {
            do throws(SpoolError) {
                try await spool.append(click)
                end(.spool)
            } catch {
                losses.record(error)
                end(nil)
            }
        }
    }

    func count(_ hit: Hit, ofHost host: String, slug: String, at time: Timestamp) {
        hits.count(hit, of: LinkAddress(host: host, slug: slug), on: time)
    }
}

/// Logs lost clicks, at most once a minute.
private final class LossLog: Sendable {
    private static let pause: Duration = .seconds(60)

    private let logger: Logger
    private let state = Mutex<(next: ContinuousClock.Instant, count: Int)>((.now, 0))

    init(logger: Logger) {
        self.logger = logger
    }

    func record(_ error: SpoolError) {
        let count = state.withLock { state -> Int? in
            state.count += 1
            guard state.next <= .now else { return nil }
            defer { state = (.now.advanced(by: Self.pause), 0) }
            return state.count
        }
        guard let count else { return }
        logger.error(
            "clicks are lost: neither the database nor the spool takes them",
            metadata: ["reason": "\(error)", "clicks": "\(count)"]
        )
    }
}
