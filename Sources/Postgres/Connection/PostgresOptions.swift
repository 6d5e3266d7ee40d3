/// Settings of a connection. The address's own parameters (`connect_timeout`, `application_name`, `options` …) override
/// them, but not the formats of values.
package struct PostgresOptions: Sendable {
    /// Shown in `pg_stat_activity`.
    package var applicationName: String
    /// The time limit for making one connection, without resolving the host's name. Default 5 s.
    package var connectTimeout: Duration
    /// The time limit for a statement; nil: no limit. Default 60 s.
    package var statementTimeout: Duration?
    /// The time limit for a statement's wait for a lock; nil: only the statement timeout. Default nil.
    package var lockTimeout: Duration?
    /// How long a transaction may be idle before the server ends the session; nil: no limit. Default 60 s.
    package var idleInTransactionTimeout: Duration?
    /// How long sent data may stay unacknowledged before the connection counts as lost (TCP only). Default 15 s.
    package var transmissionTimeout: Duration
    /// The time limit for one use of a pooled connection, without the wait for the connection; nil: no limit. After it,
    /// the session is ended, even if the server and the network are silent. Default nil.
    package var useLimit: Duration?
    /// The number of statement texts that a connection remembers. It prepares a text at its second use; 0 prepares
    /// none. Default 128.
    package var preparedStatementLimit: Int
    /// Further settings of the session, for example `["work_mem": "64MB"]`.
    package var settings: [String: String]
    /// Statements that some servers need in other words. Default: none.
    package var variants: StatementVariants

    package init(
        applicationName: String = "tributary",
        connectTimeout: Duration = .seconds(5),
        statementTimeout: Duration? = .seconds(60),
        lockTimeout: Duration? = nil,
        idleInTransactionTimeout: Duration? = .seconds(60),
        transmissionTimeout: Duration = .seconds(15),
        useLimit: Duration? = nil,
        preparedStatementLimit: Int = 128,
        settings: [String: String] = [:],
        variants: StatementVariants = .none
    ) {
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.transmissionTimeout = transmissionTimeout
        self.useLimit = useLimit
        self.preparedStatementLimit = preparedStatementLimit
        self.settings = settings
        self.variants = variants
    }

    /// The settings of the session, by their names. They are set when it begins, and not in the start packet, where
    /// poolers such as PgBouncer refuse most of them.
    var sessionSettings: [String: String] {
        [
            // What a role's or a database's own path would choose, among tables of other programs too.
            "search_path": "public",
            "statement_timeout": Self.milliseconds(statementTimeout),
            "lock_timeout": Self.milliseconds(lockTimeout),
            "idle_in_transaction_session_timeout": Self.milliseconds(idleInTransactionTimeout),
        ].merging(Self.planning) { $1 }.merging(Self.formats) { $1 }.merging(settings) { $1 }
    }

    /// Compiling the expressions for each month's partition takes longer than a whole scan of events, and longer than
    /// storing them: a first batch took 5 s where the processors were busy.
    package static let planning = ["jit": "off"]

    /// If a query casts a timestamp to text, the result must not depend on the server's configuration, nor on the
    /// environment or the address.
    static let formats = [
        "TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres", "bytea_output": "hex",
    ]

    /// 0 means "no limit" to PostgreSQL, so a limit below 1 ms is rounded up to 1 ms.
    static func milliseconds(_ duration: Duration?) -> String {
        duration.map { String(max(1, $0.wholeMilliseconds)) } ?? "0"
    }
}

extension Duration {
    /// Rounded towards zero.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
