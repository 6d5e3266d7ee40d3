import Postgres

/// Settings of a transaction that works on figures: they can be made again, and must not press anything else.
enum FigureSession {
    static func prepare(_ connection: isolated PostgresConnection) throws(PostgresError) {
        try connection.execute(
            """
            select
                set_config('synchronous_commit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true),
                set_config('jit', 'off', true)
            """
        )
    }
}
