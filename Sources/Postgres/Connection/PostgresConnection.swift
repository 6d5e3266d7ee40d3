import CLibpq
package import Logging

/// One session with a PostgreSQL server.
///
/// All work is synchronous inside the actor. The actor runs on a serial queue of its own, where libpq may block. So hop
/// into it once for a batch (``run(_:)`` or ``PostgresPool/withConnection(_:)``), not once for each statement.
package actor PostgresConnection {
    package nonisolated let address: PostgresAddress
    let options: PostgresOptions
    let logger: Logger?
    private nonisolated let executor: ConnectionExecutor
    nonisolated let breaker = SessionBreaker()
    /// Nil before the connection is made and after it is closed.
    var handle: ConnectionHandle?
    var statements: StatementCache
    /// Statements that go to the server with the next statement.
    var deferred = DeferredStatements()
    /// The objects of ``memory(_:)``, by the identifiers of their types.
    var memories: [ObjectIdentifier: AnyObject] = [:]
    /// The current use of the connection, if it can be cancelled.
    var currentUse: CancellableUse?
    var cancelKey: CancelKey?
    /// Whether the session must not be used again: a cancel request may still be on its way, or a rollback failed.
    var isTainted = false
    /// Whether a pooler such as PgBouncer stands between this program and the server.
    private(set) var isPooled = false
    /// The variants of the options by their originals; empty if the server needs none (``StatementVariants``).
    var variants: [String: String] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ address: PostgresAddress, options: PostgresOptions, logger: Logger?) {
        self.address = address
        self.options = options
        self.logger = logger
        executor = ConnectionExecutor(label: "tributary.postgres")
        statements = StatementCache(limit: options.preparedStatementLimit)
    }

    /// Connects and authenticates.
    ///
    /// - Parameter isGivenUp: asked again and again while the server does not answer.
    /// - Throws: ``PostgresError/Kind/connectionFailed``, with the server's SQLSTATE if the server answered;
    ///   ``PostgresError/Kind/cancelled`` if the task is cancelled, or the connection is given up.
    package static func connect(
        to address: PostgresAddress,
        options: PostgresOptions = PostgresOptions(),
        logger: Logger? = nil,
        unless isGivenUp: @Sendable () -> Bool = { false }
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(address, options: options, logger: logger)
        try await connection.open { Task.isCancelled || isGivenUp() }
        return connection
    }

    private func open(unless isGivenUp: @Sendable () -> Bool) throws(PostgresError) {
        let handle = try ConnectionAttempt(address, options: options, logger: logger).run(unless: isGivenUp)
        self.handle = handle
        cancelKey = CancelKey(handle)
        breaker.begin(handle)
        // A pooler answers for a server that does not.
        let limit = UseLimit(breaker)
        limit.end(within: address.connectTimeout ?? options.connectTimeout)
        defer { limit.finish() }
        do throws(PostgresError) {
            try applySettings()
            try chooseVariants()
        } catch {
            close()
            throw error
        }
    }

    /// Sets the options' settings. Those that the address's `options` name stay as they are.
    private func applySettings() throws(PostgresError) {
        let settings = options.sessionSettings.sorted { $0.key < $1.key }
        let process = try query(
            """
            select pg_backend_pid(), count(set_config(name, value, false))
            from unnest($1::text[], $2::text[]) as ours (name, value)
            where name = any ($3) or name not in (select name from pg_settings where source = 'client')
            """,
            [
                .textArray(settings.map(\.key)), .textArray(settings.map(\.value)),
                .textArray(PostgresOptions.formats.map(\.key)),
            ]
        )[0].int(0)
        // A pooler gives its clients numbers of its own, because their sessions change.
        isPooled = process != Int(serverProcess)
    }

    /// Whether the session can take another statement, as far as is known without a round trip.
    package var isUsable: Bool { !isTainted && handle?.isUsable == true }

    /// The id of the server process of this session, as in `pg_stat_activity`; behind a pooler, a number of the pooler.
    package var serverProcess: Int32 { handle.map { PQbackendPID($0.pointer) } ?? 0 }

    /// Ends the session. Later calls throw ``PostgresError/Kind/closed``.
    package func close() {
        handle = nil
        deferred.removeAll()
        cancelKey = nil
        breaker.end()
    }

    /// Lifts the statement timeout, for waiting for others or changing much data.
    ///
    /// - Returns: the timeout, for ``setStatementTimeout(_:)``. `reset` would take the server's, not the options'.
    package func liftStatementTimeout() throws(PostgresError) -> String {
        let former = try query("select current_setting('statement_timeout')")[0].text(0)
        try setStatementTimeout("0")
        return former
    }

    package func setStatementTimeout(_ value: String) throws(PostgresError) {
        try execute("select set_config('statement_timeout', $1, false)", [.text(value)])
    }

    /// The connection for one statement. Runs the deferred statements first.
    ///
    /// - Throws: `closed` or `cancelled`, before anything is sent; or the error of a deferred statement.
    func readyHandle(for statement: String) throws(PostgresError) -> ConnectionHandle {
        if !deferred.isEmpty { try runDeferred() }
        return try checkedHandle(for: statement)
    }

    /// - Throws: `closed` or `cancelled`.
    func checkedHandle(for statement: String) throws(PostgresError) -> ConnectionHandle {
        guard let handle else {
            throw PostgresError(.closed, "the connection is closed", statement: statement, server: address.description)
        }
        if currentUse?.isCancelled == true {
            throw PostgresError(.cancelled, "the task was cancelled", statement: statement)
        }
        return handle
    }

    /// The error of a result. A cancellation by this program gets the kind `cancelled`; one by an administrator or a
    /// timeout does not.
    func makeError(_ result: OpaquePointer?, _ handle: ConnectionHandle, _ statement: String) -> PostgresError {
        var error = PostgresError(
            result: result,
            handle: handle,
            statement: statement,
            server: address.description
        )
        if error.sqlState == "57014", currentUse?.isCancelled == true {
            error.kind = .cancelled
        }
        return error
    }
}
