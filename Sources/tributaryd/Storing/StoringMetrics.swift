import CoreMetrics
import Foundation
import InboundLinks
import Ingest
import Postgres
import Storage
import Time

/// The metrics of storing: descriptions of the writer's metrics, and gauges that are read for each scrape.
struct StoringMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(
            name: StoreMetrics.Name.commitDuration,
            kind: .histogram,
            help: "Time to store a group of requests in one commit, retries included",
            buckets: MetricDescription.secondBuckets
        ),
        MetricDescription(
            name: StoreMetrics.Name.commitEvents,
            kind: .histogram,
            help: "Events in a group that was stored in one commit",
            buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
        ),
        MetricDescription(
            name: StoreMetrics.Name.events,
            kind: .counter,
            help: "Events that PostgreSQL stored, those from the spool included"
        ),
        MetricDescription(
            name: StoreMetrics.Name.duplicates,
            kind: .counter,
            help: "Events that PostgreSQL had stored before"
        ),
        MetricDescription(
            name: StoreMetrics.Name.erased,
            kind: .counter,
            help: "Events that were dropped because their person or app was deleted after they were received"
        ),
        MetricDescription(
            name: StoreMetrics.Name.deadLetters,
            kind: .counter,
            help: "Rejected events that were kept as dead letters"
        ),
        MetricDescription(
            name: StoreMetrics.Name.failures,
            kind: .counter,
            help: "Groups that could not be stored, by reason; their events go to the spool"
        ),
        MetricDescription(name: spoolEvents, kind: .gauge, help: "Events that wait in the spool"),
        MetricDescription(name: spoolRequests, kind: .gauge, help: "Requests that wait in the spool"),
        MetricDescription(
            name: spoolUnreadable,
            kind: .gauge,
            help: "Requests in the spool that cannot be read; they do not count as waiting"
        ),
        MetricDescription(
            name: spoolDamagedFiles,
            kind: .gauge,
            help: "Damaged spool files that were set aside; their sound requests are delivered"
        ),
        MetricDescription(
            name: spoolLost,
            kind: .gauge,
            help: "Answered requests that were not found whole in the damaged spool files"
        ),
        MetricDescription(name: spoolBytes, kind: .gauge, help: "Bytes that wait in the spool"),
        MetricDescription(name: spoolLimit, kind: .gauge, help: "Bytes that the spool may hold"),
        MetricDescription(
            name: spoolAge,
            kind: .gauge,
            help: "Time since the oldest request in the spool was received; 0 if none waits"
        ),
        MetricDescription(
            name: databasePresent,
            kind: .gauge,
            help: "1 if events go to PostgreSQL, 0 if they go to the spool"
        ),
        MetricDescription(
            name: poolConnections,
            kind: .gauge,
            help: "Connections to PostgreSQL, by pool and state"
        ),
        MetricDescription(name: poolSize, kind: .gauge, help: "Connections that a pool may have"),
        MetricDescription(name: poolWaiting, kind: .gauge, help: "Uses that wait for a connection of the pool"),
    ]

    private static let spoolEvents = "tributary_spool_events"
    private static let spoolRequests = "tributary_spool_requests"
    private static let spoolUnreadable = "tributary_spool_unreadable_requests"
    private static let spoolDamagedFiles = "tributary_spool_damaged_files"
    private static let spoolLost = "tributary_spool_lost_requests"
    private static let spoolBytes = "tributary_spool_bytes"
    private static let spoolLimit = "tributary_spool_limit_bytes"
    private static let spoolAge = "tributary_spool_age_seconds"
    private static let databasePresent = "tributary_database_present"
    private static let poolConnections = "tributary_pool_connections"
    private static let poolSize = "tributary_pool_size"
    private static let poolWaiting = "tributary_pool_waiting"

    private struct PoolGauges {
        var pool: PostgresPool
        var size: any MeterHandler
        var inUse: any MeterHandler
        var idle: any MeterHandler
        var waiting: any MeterHandler
    }

    private let spool: Spool
    private let sink: SpoolingSink
    private let pools: [PoolGauges]
    private let events: any MeterHandler
    private let requests: any MeterHandler
    private let unreadable: any MeterHandler
    private let damagedFiles: any MeterHandler
    private let lost: any MeterHandler
    private let bytes: any MeterHandler
    private let age: any MeterHandler
    private let isPresent: any MeterHandler

    init(spool: Spool, sink: SpoolingSink, pools: [(name: String, pool: PostgresPool)], factory: any MetricsFactory) {
        self.spool = spool
        self.sink = sink
        func gauge(_ name: String, _ dimensions: [(String, String)] = []) -> any MeterHandler {
            factory.makeMeter(label: name, dimensions: dimensions)
        }
        self.pools = pools.map { name, pool in
            PoolGauges(
                pool: pool,
                size: gauge(Self.poolSize, [("pool", name)]),
                inUse: gauge(Self.poolConnections, [("pool", name), ("state", "in_use")]),
                idle: gauge(Self.poolConnections, [("pool", name), ("state", "idle")]),
                waiting: gauge(Self.poolWaiting, [("pool", name)])
            )
        }
        events = gauge(Self.spoolEvents)
        requests = gauge(Self.spoolRequests)
        unreadable = gauge(Self.spoolUnreadable)
        damagedFiles = gauge(Self.spoolDamagedFiles)
        lost = gauge(Self.spoolLost)
        bytes = gauge(Self.spoolBytes)
        age = gauge(Self.spoolAge)
        isPresent = gauge(Self.databasePresent)
        gauge(Self.spoolLimit).set(Int64(spool.byteLimit))
    }

    /// Brings the gauges up to date.
    func refresh() {
        let depth = spool.depth
        events.set(Int64(depth.events))
        requests.set(Int64(depth.batches))
        unreadable.set(Int64(spool.unreadable))
        let damaged = DamagedSpool.all(in: URL(fileURLWithPath: spool.path).deletingLastPathComponent().path)
        damagedFiles.set(Int64(damaged.count))
        lost.set(Int64(damaged.reduce(0) { $0 + $1.lost }))
        bytes.set(Int64(depth.bytes))
        age.set(depth.ageSeconds(at: .now))
        isPresent.set(Int64(sink.isDatabasePresent ? 1 : 0))
        for gauges in pools {
            let usage = gauges.pool.usage
            gauges.size.set(Int64(gauges.pool.size))
            gauges.inUse.set(Int64(usage.inUse))
            gauges.idle.set(Int64(usage.idle))
            gauges.waiting.set(Int64(usage.waiting))
        }
    }
}
