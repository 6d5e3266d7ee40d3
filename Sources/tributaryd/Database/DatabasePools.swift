import Logging
import Postgres
import Reporting

/// The daemon's connections to PostgreSQL, with a pool for each use. So long reports cannot delay the reading of keys
/// or the delivery of the spool.
struct DatabasePools {
    /// The number of groups of events that are stored at the same time.
    static let storingTransactions = 2
    /// How many reports run at the same time. Those of one app leave room for others (``ReportPlaces``).
    static let reportsAtOnce = 4

    let writing: PostgresPool
    let keys: PostgresPool
    let delivering: PostgresPool
    let reporting: PostgresPool
    /// For what the dashboard reads and writes beside reports: the pool of reports, unless a standby answers those.
    let dashboard: PostgresPool
    let answering: PostgresPool
    let linking: PostgresPool
    let maintaining: PostgresPool
    let figures: PostgresPool
    /// Used on a cluster only.
    let figuresWorkers: PostgresPool
    let packing: PostgresPool
    /// Used on a cluster only.
    let packingWorkers: PostgresPool
    let webhooks: PostgresPool
    /// Used on a cluster only.
    let webhookWorkers: PostgresPool
    let delivery: PostgresPool

    /// The pools by their names in metrics.
    let named: [(name: String, pool: PostgresPool)]

    var all: [PostgresPool] { named.map(\.pool) }

    /// - Parameters:
    ///   - storeDeadline: how long storing a request may take. A commit may take twice as long; then its session is
    ///     closed as lost.
    ///   - reportConnections: how many connections may share a report.
    ///   - standby: where reports read; nil: at `address`.
    init(
        address: DatabaseAddress,
        storeDeadline: Duration,
        reportConnections: Int,
        standby: PostgresAddress?,
        logger: Logger
    ) {
        var named: [(name: String, pool: PostgresPool)] = []
        func pool(
            _ name: String,
            on standby: PostgresAddress? = nil,
            size: Int = 1,
            connectAttempts: Int = 1,
            _ options: PostgresOptions
        ) -> PostgresPool {
            var options = options
            options.variants = DistributedStatements.variants
            var source: @Sendable () throws(PostgresError) -> PostgresAddress = address.get
            if let standby { source = { standby } }
            let pool = PostgresPool(
                address: source,
                size: size,
                applicationName: name == "reports" ? "tributaryd" : "tributaryd \(name)",
                options: options,
                connectAttempts: connectAttempts,
                logger: logger
            )
            named.append((name, pool))
            return pool
        }
        writing = pool(
            "writer",
            size: Self.storingTransactions,
            connectAttempts: 2,
            PostgresOptions(
                statementTimeout: storeDeadline * 2,
                // If a session is cut off in a transaction, it locks the keys of its events until the server ends it.
                idleInTransactionTimeout: storeDeadline,
                useLimit: storeDeadline * 2
            )
        )
        // Senders wait for this. While the database is unavailable, the keys that were read last are used.
        keys = pool("keys", PostgresOptions(connectTimeout: .seconds(2), useLimit: .seconds(2)))
        // One attempt: the courier tries again soon, and at the start senders wait for it.
        delivering = pool(
            "courier",
            PostgresOptions(connectTimeout: .seconds(3), idleInTransactionTimeout: storeDeadline)
        )
        // One for each report that runs. While one report uses all that it may,
        // another one still finds two.
        reporting = pool(
            "reports",
            on: standby,
            size: max(Self.reportsAtOnce, reportConnections + 2),
            connectAttempts: 2,
            // A report that waits for a lock so long ends with that reason. Any other has the statement timeout.
            PostgresOptions(lockTimeout: .seconds(20), useLimit: .seconds(90))
        )
        // One attempt: while the primary is away, people wait for it before the standby is asked.
        dashboard =
            standby == nil
            ? reporting
            : pool("dashboard", size: 2, PostgresOptions(connectTimeout: .seconds(2), useLimit: .seconds(90)))
        // Apps wait for these answers when they are opened: no report may delay them.
        answering = pool(
            "answers",
            size: 2,
            PostgresOptions(
                connectTimeout: .seconds(3),
                statementTimeout: storeDeadline,
                lockTimeout: .seconds(5),
                idleInTransactionTimeout: storeDeadline,
                useLimit: storeDeadline
            )
        )
        // One connection: it asks for changes several times a second. Nobody else may wait while it reads all links.
        linking = pool(
            "links",
            PostgresOptions(
                connectTimeout: .seconds(2),
                lockTimeout: .seconds(5),
                idleInTransactionTimeout: .seconds(60),
                useLimit: .seconds(5)
            )
        )
        // No time limit: dropping a month waits for the reports that read it.
        maintaining = pool("retention", PostgresOptions(connectTimeout: .seconds(3), statementTimeout: nil))
        // One connection, so that figures use at most one of the server's processors. On a cluster, its session only
        // holds the lock of the daemon that refreshes figures, and asks no worker: one that waits for a worker that
        // hangs would keep the lock.
        let figuresOptions = PostgresOptions(
            statementTimeout: .seconds(1_800),
            lockTimeout: .seconds(5),
            idleInTransactionTimeout: .seconds(300),
            useLimit: .seconds(3_600)
        )
        figures = pool("figures", figuresOptions)
        figuresWorkers = pool("figures workers", figuresOptions)
        // One connection, because its session holds the lock for packing; on a cluster it only does that. No time
        // limit: packing many events takes long.
        packing = pool("packing", PostgresOptions(statementTimeout: nil))
        // A worker that hangs in the middle of packing keeps the apps of other workers back for so long.
        packingWorkers = pool("packing workers", PostgresOptions(statementTimeout: nil, useLimit: .seconds(3_600)))
        // One connection, because its session holds the lock of the daemon that tells webhooks.
        webhooks = pool(
            "webhooks",
            PostgresOptions(
                connectTimeout: .seconds(3),
                statementTimeout: .seconds(600),
                lockTimeout: .seconds(5),
                idleInTransactionTimeout: .seconds(60),
                useLimit: .seconds(900)
            )
        )
        // A worker that hangs in the middle of a look keeps the webhooks of other workers back for so long.
        webhookWorkers = pool(
            "workers",
            PostgresOptions(
                connectTimeout: .seconds(3),
                statementTimeout: .seconds(120),
                lockTimeout: .seconds(5),
                idleInTransactionTimeout: .seconds(60),
                useLimit: .seconds(120)
            )
        )
        // What was delivered is noted while a long look for news runs.
        delivery = pool(
            "delivery",
            PostgresOptions(connectTimeout: .seconds(3), lockTimeout: .seconds(5), useLimit: .seconds(30))
        )
        self.named = named
    }
}
