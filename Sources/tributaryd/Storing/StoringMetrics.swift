import Foundation
import Ingest
import Postgres
import Storage
import Time

/// The metrics of storing: descriptions of the writer's metrics, and gauges that are read for each scrape.
struct StoringMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(
            StoreMetrics.Name.commitDuration,
            .histogram,
            "Time to store a group of requests in one commit, retries included",
            buckets: MetricDescription.secondBuckets
        ),
        MetricDescription(
            StoreMetrics.Name.commitEvents,
            .histogram,
            "Events in a group that was stored in one commit",
            buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
        ),
        MetricDescription(
            StoreMetrics.Name.events,
            .counter,
            "Events that PostgreSQL stored, those from the spool included"
        ),
        MetricDescription(
            StoreMetrics.Name.duplicates,
            .counter,
            "Events that PostgreSQL had stored before"
        ),
        MetricDescription(
            StoreMetrics.Name.erased,
            .counter,
            "Events that were dropped because their person or app was deleted after they were received"
        ),
        MetricDescription(
            StoreMetrics.Name.deadLetters,
            .counter,
            "Rejected events that were kept as dead letters"
        ),
        MetricDescription(
            StoreMetrics.Name.failures,
            .counter,
            "Groups that could not be stored, by reason; their events go to the spool"
        ),
    ]

    let spool: Spool
    let sink: SpoolingSink
    let pools: [(name: String, pool: PostgresPool)]

    func gauges() -> [MetricReading] {
        let depth = spool.depth
        let damaged = DamagedSpool.all(in: URL(fileURLWithPath: spool.path).deletingLastPathComponent().path)
        return [
            MetricReading("tributary_spool_events", "Events that wait in the spool", depth.events),
            MetricReading("tributary_spool_requests", "Requests that wait in the spool", depth.batches),
            MetricReading(
                "tributary_spool_unreadable_requests",
                "Requests in the spool that cannot be read; they do not count as waiting",
                spool.unreadable
            ),
            MetricReading(
                "tributary_spool_damaged_files",
                "Damaged spool files that were set aside; their sound requests are delivered",
                damaged.count
            ),
            MetricReading(
                "tributary_spool_lost_requests",
                "Answered requests that were not found whole in the damaged spool files",
                damaged.reduce(0) { $0 + $1.lost }
            ),
            MetricReading("tributary_spool_bytes", "Bytes that wait in the spool", depth.bytes),
            MetricReading("tributary_spool_limit_bytes", "Bytes that the spool may hold", spool.byteLimit),
            MetricReading(
                "tributary_spool_age_seconds",
                "Time since the oldest request in the spool was received; 0 if none waits",
                Int(depth.ageSeconds(at: .now))
            ),
            MetricReading(
                "tributary_database_present",
                "1 if events go to PostgreSQL, 0 if they go to the spool",
                sink.isDatabasePresent ? 1 : 0
            ),
        ] + pools.flatMap { Self.gauges($0.name, $0.pool) }
    }

    private static func gauges(_ name: String, _ pool: PostgresPool) -> [MetricReading] {
        let usage = pool.usage
        let label = ("pool", name)
        let connections = [(usage.inUse, "in_use"), (usage.idle, "idle")].map { count, state in
            MetricReading(
                "tributary_pool_connections",
                "Connections to PostgreSQL, by pool and state",
                count,
                [label, ("state", state)]
            )
        }
        return connections + [
            MetricReading("tributary_pool_size", "Connections that a pool may have", pool.size, [label]),
            MetricReading(
                "tributary_pool_waiting",
                "Uses that wait for a connection of the pool",
                usage.waiting,
                [label]
            ),
        ]
    }
}
