import Logging
import Postgres

/// The daemon's connections, apart by use, so that none can keep another from its own: reports that take long must not
/// keep keys from being read or the spool from being delivered.
struct DatabasePools {
    /// Groups of events that are being stored at a time.
    static let storingTransactions = 2

    let writing: PostgresPool
    let keys: PostgresPool
    let delivering: PostgresPool
    let reporting: PostgresPool
    let maintaining: PostgresPool
    let figures: PostgresPool
    let packing: PostgresPool

    var all: [PostgresPool] { named.map(\.pool) }

    /// By what metrics call them.
    var named: [(name: String, pool: PostgresPool)] {
        [
            ("writer", writing), ("keys", keys), ("courier", delivering), ("reports", reporting),
            ("retention", maintaining), ("figures", figures),
            ("packing", packing),
        ]
    }

    /// - Parameter storeDeadline: how long storing a request may take. A commit may take twice as long, for those that wait
    ///   no longer; then its session is given up as lost.
    init(address: PostgresAddress, storeDeadline: Duration, logger: Logger) {
        writing = PostgresPool(
            address: address,
            size: Self.storingTransactions,
            applicationName: "tributaryd writer",
            options: PostgresOptions(
                statementTimeout: storeDeadline * 2,
                // A session that was cut off in its transaction holds the keys of its events until the server ends it.
                idleInTransactionTimeout: storeDeadline,
                useLimit: storeDeadline * 2
            ),
            logger: logger
        )
        // Senders wait for it; while it is away the keys as they were last read go on to serve.
        keys = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributaryd keys",
            options: PostgresOptions(connectTimeout: .seconds(2), useLimit: .seconds(2)),
            connectAttempts: 1,
            logger: logger
        )
        delivering = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributaryd courier",
            options: PostgresOptions(connectTimeout: .seconds(3), idleInTransactionTimeout: storeDeadline),
            // It looks again soon, and at the start senders wait for it.
            connectAttempts: 1,
            logger: logger
        )
        reporting = PostgresPool(
            address: address,
            size: 4,
            applicationName: "tributaryd",
            options: PostgresOptions(useLimit: .seconds(90)),
            logger: logger
        )
        // Dropping a month waits for the reports that read it.
        maintaining = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributaryd retention",
            options: PostgresOptions(connectTimeout: .seconds(3), statementTimeout: nil),
            connectAttempts: 1,
            logger: logger
        )
        // One connection, so that it never takes more than one of the server's processors.
        figures = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributaryd figures",
            options: PostgresOptions(
                statementTimeout: .seconds(1_800),
                lockTimeout: .seconds(5),
                idleInTransactionTimeout: .seconds(300),
                useLimit: .seconds(3_600)
            ),
            connectAttempts: 1,
            logger: logger
        )
        // One session, which holds the lock of who packs. Packing much takes as long as it takes.
        packing = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributaryd packing",
            options: PostgresOptions(statementTimeout: nil),
            connectAttempts: 1,
            logger: logger
        )
    }
}
