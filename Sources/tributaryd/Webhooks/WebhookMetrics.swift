import CoreMetrics
import Ingest
import Synchronization
import Time
import Webhooks

/// The metrics of webhooks: how far the words lag, and what becomes of them. Those of the daemon that sends; the others
/// say 0.
final class WebhookMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(
            name: lag,
            kind: .gauge,
            help: "Time since all stored events were looked at, for the webhook that is furthest behind"
        ),
        MetricDescription(name: waiting, kind: .gauge, help: "Words of webhooks that wait to be delivered"),
        MetricDescription(name: oldest, kind: .gauge, help: "How long the oldest of them has waited"),
        MetricDescription(name: dead, kind: .gauge, help: "Words of webhooks that were given up"),
        MetricDescription(name: told, kind: .counter, help: "Words that webhooks had to tell"),
        MetricDescription(name: attempts, kind: .counter, help: "Attempts to deliver a word, by outcome"),
    ]

    private static let lag = "tributary_webhook_lag_seconds"
    private static let waiting = "tributary_webhook_waiting_words"
    private static let oldest = "tributary_webhook_oldest_word_seconds"
    private static let dead = "tributary_webhook_dead_words"
    private static let told = "tributary_webhook_words_total"
    private static let attempts = "tributary_webhook_attempts_total"

    private struct State {
        var backlog = WebhookBacklog()
        var countedAt = ContinuousClock.now - .seconds(60)
        /// How far each webhook has looked.
        var asOf: [String: Timestamp] = [:]
    }

    private let state = Mutex(State())
    private let lagGauge: any MeterHandler
    private let waitingGauge: any MeterHandler
    private let oldestGauge: any MeterHandler
    private let deadGauge: any MeterHandler
    private let words: any CounterHandler
    private let delivered: any CounterHandler
    private let failed: any CounterHandler

    init(factory: any MetricsFactory) {
        lagGauge = factory.makeMeter(label: Self.lag, dimensions: [])
        waitingGauge = factory.makeMeter(label: Self.waiting, dimensions: [])
        oldestGauge = factory.makeMeter(label: Self.oldest, dimensions: [])
        deadGauge = factory.makeMeter(label: Self.dead, dimensions: [])
        words = factory.makeCounter(label: Self.told, dimensions: [])
        words.increment(by: 0)
        func counter(_ outcome: String) -> any CounterHandler {
            let counter = factory.makeCounter(label: Self.attempts, dimensions: [("outcome", outcome)])
            counter.increment(by: 0)
            return counter
        }
        delivered = counter("delivered")
        failed = counter("failed")
    }

    func passed(_ webhook: String, _ pass: WebhookFinder.Pass) {
        words.increment(by: Int64(pass.words))
        if !pass.hasMore, !pass.isHeldBack { state.withLock { $0.asOf[webhook] = pass.asOf } }
    }

    func sent(_ tally: WebhookSender.Tally) {
        delivered.increment(by: Int64(tally.delivered))
        failed.increment(by: Int64(tally.failed))
    }

    /// Whether the backlog should be counted again: that takes time if it is long.
    var isBacklogOld: Bool { state.withLock { ContinuousClock.now - $0.countedAt > .seconds(5) } }

    /// - Parameters:
    ///   - backlog: nil if it was not counted.
    ///   - active: the webhooks that this daemon works on.
    func keep(_ backlog: WebhookBacklog?, of active: Set<String>, since now: Timestamp) {
        state.withLock { state in
            if let backlog {
                state.backlog = backlog
                state.countedAt = .now
            }
            state.asOf = state.asOf.filter { active.contains($0.key) }
            for id in active where state.asOf[id] == nil { state.asOf[id] = now }
        }
    }

    /// Brings the gauges up to date.
    func refresh() {
        let (backlog, oldest) = state.withLock { ($0.backlog, $0.asOf.values.min()) }
        let now = Timestamp.now
        lagGauge.set(Double(max(0, now.microseconds - (oldest ?? now).microseconds)) / 1e6)
        waitingGauge.set(Int64(backlog.waiting))
        oldestGauge.set(backlog.age)
        deadGauge.set(Int64(backlog.givenUp))
    }
}
