import Postgres

/// Waits for the transactions that are storing events, and repeats work that loses against them. A transaction that
/// begins to store later sees everything that was committed before.
enum StoringTransactions {
    /// The class of the advisory locks by which a transaction says of which apps it stores events: "trib" in ASCII.
    static let mark: Int64 = 0x7472_6962
    /// A transaction with more apps says nothing: the server has room for some ten thousand locks.
    private static let markedApps = 100

    /// Says of which apps the open transaction stores events, on a cluster. One that waits for a worker that hangs then
    /// keeps back only what waits for these apps. It goes to the server with the transaction's next statement.
    static func mark(_ apps: Set<Int32>, on connection: isolated PostgresConnection) throws(PostgresError) {
        guard connection.isDistributed, apps.count <= markedApps else { return }
        try connection.executeWithNext(
            "select pg_advisory_xact_lock_shared($1::integer, app) from unnest($2::integer[]) as marked (app)",
            [.int(mark), .intArray(apps.sorted().map { Int64($0) })]
        )
    }

    /// Returns when every transaction that is storing events of an app now has ended. It keeps no writer waiting.
    ///
    /// - Parameter app: nil: of any.
    static func waitForThose(of app: Int32?, on connection: isolated PostgresConnection) throws {
        let app: PostgresValue = app.map { .int(Int64($0)) } ?? .null
        try waitForThose(on: connection) { try $0.query(StoredSQL.selectStoringTransactions, [app, .int(mark)]) }
    }

    /// On a cluster, returns when the workers show what was committed before. A commit whose second phase has failed is
    /// one of them: Citus mends it within a minute.
    ///
    /// - Parameter app: whose rows the caller reads or deletes; nil: those of any.
    static func waitForThoseInDoubt(of app: Int32?, on connection: isolated PostgresConnection) throws {
        guard connection.isDistributed else { return }
        try waitForThose(on: connection) { try inDoubt(of: app, on: $0) }
    }

    /// Commits whose second phase has failed, on a cluster (`commits_in_doubt`).
    static func inDoubt(of app: Int32?, on connection: isolated PostgresConnection) throws -> PostgresResult {
        let app: PostgresValue = app.map { .int(Int64($0)) } ?? .null
        return try connection.query("select gid from commits_in_doubt($1)", [app])
    }

    /// Returns when every transaction has ended that a query finds now.
    static func waitForThose(
        on connection: isolated PostgresConnection,
        found: (isolated PostgresConnection) throws -> PostgresResult
    ) throws {
        func running() throws -> Set<String> { Set(try found(connection).map { try $0.text(0) }) }
        var waiting = try running()
        while !waiting.isEmpty {
            try connection.execute("select pg_sleep(0.01)")
            waiting.formIntersection(try running())
        }
    }

    /// Runs `body`, and runs it again if it loses against a transaction that stores events: 10 times at most.
    static func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        try PostgresError.retrying(attempts: 10, body)
    }

    static func running(of app: Int32?, on connection: isolated PostgresConnection) throws -> Set<String> {
        let app: PostgresValue = app.map { .int(Int64($0)) } ?? .null
        return Set(try connection.query(StoredSQL.selectStoringTransactions, [app, .int(mark)]).map { try $0.text(0) })
    }
}
