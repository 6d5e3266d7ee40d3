package import Postgres

/// The transaction number below which all transactions have ended.
package enum TransactionHorizon {
    /// - Parameter app: the app whose events are read or deleted; nil: those of every app. On a cluster, only the
    ///   workers that store them are asked for commits in doubt.
    package static func read(of app: Int32?, on connection: isolated PostgresConnection) throws -> Int64 {
        let rows =
            if let app, connection.isDistributed {
                try connection.query("select transaction_horizon_of($1)", [.int(Int64(app))])
            } else {
                try connection.query("select transaction_horizon()")
            }
        return try rows[0].int64(0)
    }
}
