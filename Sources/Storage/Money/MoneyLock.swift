import Postgres

/// Lets one transaction after the other store costs and rates of an app, so that each counts what the others stored.
enum MoneyLock {
    /// Waits until the transaction may store. It may until it ends.
    ///
    /// The row of the app would do as well, but the daemon's role may not lock it (`deploy/postgresql/grants.sql`).
    static func wait(of app: App, on connection: isolated PostgresConnection) throws {
        try connection.execute(
            "select pg_advisory_xact_lock(hashtextextended('costs and rates', $1))",
            [.int(Int64(app.number))]
        )
    }
}
