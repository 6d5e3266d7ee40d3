import CoreMetrics
import Ingest
import Storage
import Synchronization
import Time
import Webhooks

/// The metrics of webhooks: how far the words lag, and what becomes of them. Those of the daemon that sends; the others
/// say 0.
final class WebhookMetrics: Sendable {
    private struct State {
        var backlog = WebhookBacklog()
        var countedAt = ContinuousClock.now - .seconds(60)
        /// How far each webhook has looked.
        var asOf: [String: Timestamp] = [:]
        var gate = OutgoingGate.open
    }

    private let state = Mutex(State())
    private let words: any CounterHandler
    private let delivered: any CounterHandler
    private let failed: any CounterHandler

    init(_ metrics: PrometheusMetrics) {
        words = metrics.counter("tributary_webhook_words_total", "Words that webhooks had to tell")
        func attempts(_ outcome: String) -> any CounterHandler {
            metrics.counter(
                "tributary_webhook_attempts_total",
                "Attempts to deliver a word, by outcome",
                [("outcome", outcome)]
            )
        }
        delivered = attempts("delivered")
        failed = attempts("failed")
        metrics.reading(gauges)
    }

    func passed(_ webhook: String, _ pass: WebhookFinder.Pass) {
        words.increment(by: Int64(pass.words))
        if !pass.hasMore, !pass.isHeldBack { state.withLock { $0.asOf[webhook] = pass.asOf } }
    }

    func sent(_ tally: WebhookSender.Tally) {
        delivered.increment(by: Int64(tally.delivered))
        failed.increment(by: Int64(tally.failed))
    }

    func keep(_ gate: OutgoingGate) { state.withLock { $0.gate = gate } }

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

    private func gauges() -> [MetricReading] {
        let (backlog, oldest, gate) = state.withLock { ($0.backlog, $0.asOf.values.min(), $0.gate) }
        let now = Timestamp.now
        return [
            MetricReading(
                "tributary_webhook_lag_seconds",
                "Time since all stored events were looked at, for the webhook that is furthest behind",
                Double(max(0, now.microseconds - (oldest ?? now).microseconds)) / 1e6
            ),
            MetricReading(
                "tributary_webhook_waiting_words",
                "Words of webhooks that wait to be delivered",
                backlog.waiting
            ),
            MetricReading(
                "tributary_webhook_oldest_word_seconds",
                "How long the oldest word that waits has waited",
                backlog.age
            ),
            MetricReading("tributary_webhook_dead_words", "Words of webhooks that were given up", backlog.givenUp),
            MetricReading(
                "tributary_outgoing_silent",
                "1 while webhooks and schedules send nothing: the database was copied or silenced",
                gate == .open ? 0 : 1
            ),
        ]
    }
}
