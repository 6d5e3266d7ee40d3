import Postgres

/// Settings of a transaction that works on figures. Figures can be computed again, so they must not slow anything else
/// down.
enum FigureSession {
    static func prepare(_ connection: isolated PostgresConnection) throws(PostgresError) {
        try connection.execute(
            """
            select
                set_config('synchronous_commit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true)
            """
        )
    }
}
