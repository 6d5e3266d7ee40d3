import Postgres

/// Decides which daemon refreshes the figures: the one whose session holds this lock, until the session ends.
enum FigureLeadership {
    /// - Returns: whether the session holds the lock, now or already before.
    static func take(on connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            """
            with key as (
                select hashtextextended('tributary figures of all apps', 0) as value
            )
            select
                exists (
                    select
                    from pg_locks
                    where locktype = 'advisory'
                        and pid = pg_backend_pid()
                        and granted
                        and objsubid = 1
                        and (classid::bigint << 32) | objid::bigint = value
                )
                or pg_try_advisory_lock(value)
            from key
            """
        )[0].bool(0)
    }
}
