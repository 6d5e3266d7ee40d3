extension PostgresConnection {
    /// Waits for an advisory lock, and runs `body` while this session holds it. A session may take a lock again that it
    /// holds.
    ///
    /// - Parameters:
    ///   - name: what the lock is for. Its hash is the lock, so that no program needs a list of numbers.
    ///   - part: each has a lock of its own, for example each app.
    package func withAdvisoryLock<Result>(
        _ name: String,
        of part: Int32 = 0,
        _ body: () throws -> Result
    ) throws -> Result {
        let lock: [PostgresValue] = [.text(name), .int(Int64(part))]
        try execute("select pg_advisory_lock(hashtextextended($1, $2))", lock)
        return try holding(lock, body)
    }

    /// The same without waiting.
    ///
    /// - Returns: nil if another session holds the lock.
    package func withAdvisoryLockIfFree<Result>(
        _ name: String,
        of part: Int32 = 0,
        _ body: () throws -> Result
    ) throws -> Result? {
        let lock: [PostgresValue] = [.text(name), .int(Int64(part))]
        guard try query("select pg_try_advisory_lock(hashtextextended($1, $2))", lock)[0].bool(0) else { return nil }
        return try holding(lock, body)
    }

    /// Takes an advisory lock without waiting, and keeps it until the session ends: so one program of several does a
    /// piece of work, and another one takes over when it is gone. Ask before each round of the work, on a pool of one
    /// connection: after an error its session may be another one.
    ///
    /// - Parameter part: each has a lock of its own, for example each app.
    /// - Returns: whether the session holds the lock, now or already before.
    package func keepsAdvisoryLock(_ name: String, of part: Int32 = 0) throws -> Bool {
        try query(
            """
            with key as (
                select hashtextextended($1, $2) as value
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
            """,
            [.text(name), .int(Int64(part))]
        )[0].bool(0)
    }

    private func holding<Result>(_ lock: [PostgresValue], _ body: () throws -> Result) throws -> Result {
        defer { _ = try? execute("select pg_advisory_unlock(hashtextextended($1, $2))", lock) }
        return try body()
    }
}
