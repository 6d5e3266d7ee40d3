package import Postgres

/// The clock of the database's server.
package enum DatabaseClock {
    /// A reading that takes longer says too little. Microseconds.
    private static let patience: Int64 = 2_000_000

    /// How many microseconds the database's clock is ahead of another clock, to half the time of a query.
    ///
    /// - Parameter clock: reads the other clock, in microseconds.
    /// - Returns: nil if the query took longer than two seconds.
    package static func lead(over clock: @escaping @Sendable () -> Int64, on pool: PostgresPool) async throws -> Int64?
    {
        try await pool.withConnection { connection in
            let before = clock()
            let time = try connection.query("select clock_timestamp()")[0].timestamp(0)
            let after = clock()
            return after - before > patience ? nil : time - (before + (after - before) / 2)
        }
    }
}
