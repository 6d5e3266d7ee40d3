package import Logging
import Synchronization

/// A bounded number of connections to one database. They are made when they are needed, and lent in the order of
/// requests.
///
/// A connection that breaks, idle or in use, is dropped. The next use makes a new one.
package final class PostgresPool: Sendable {
    private typealias Grant = Result<PoolState<PostgresConnection, Continuation>.Lease, PostgresError>
    private final class Continuation: Sendable {
        private let continuation: CheckedContinuation<Grant, Never>
        init(_ continuation: CheckedContinuation<Grant, Never>) { self.continuation = continuation }
        func resume(_ grant: sending Grant) { continuation.resume(returning: grant) }
    }
    private typealias State = PoolState<PostgresConnection, Continuation>

    private let addressSource: @Sendable () throws(PostgresError) -> PostgresAddress
    private let options: PostgresOptions
    private let connectAttempts: Int
    private let logger: Logger?
    private let state: Mutex<State>
    private let uses = Mutex(Uses())

    /// The uses that are running.
    private struct Uses {
        var running: [Int: Use] = [:]
        var lastNumber = 0
        /// Whether ``abort()`` has been called: every use ends.
        var areBrokenOff = false
        /// Whether ``sweep(every:)`` is running.
        var isSwept = false
        /// Whether a pooler that stands before the server was seen to give sessions of one's own.
        var arePoolersChecked = false
    }

    private struct Use {
        var limit: UseLimit
        /// When the use must end, if its limit is that of the options. Such a use has no timer of its own.
        var expiry: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - address: asked for each new connection. Its error is the error of the use that needs the connection.
    ///   - size: the most connections, at least 1.
    ///   - applicationName: overrides the options' name; shown in `pg_stat_activity`.
    ///   - connectAttempts: how often one use tries to connect while the database is unavailable, 100 ms apart.
    package init(
        address: @escaping @Sendable () throws(PostgresError) -> PostgresAddress,
        size: Int = 4,
        applicationName: String? = nil,
        options: PostgresOptions = PostgresOptions(),
        connectAttempts: Int = 2,
        logger: Logger? = nil
    ) {
        addressSource = address
        var options = options
        options.applicationName = applicationName ?? options.applicationName
        self.options = options
        self.connectAttempts = max(1, connectAttempts)
        self.logger = logger
        state = Mutex(State(size: size))
    }

    package convenience init(
        address: PostgresAddress,
        size: Int = 4,
        applicationName: String? = nil,
        options: PostgresOptions = PostgresOptions(),
        connectAttempts: Int = 2,
        logger: Logger? = nil
    ) {
        self.init(
            address: { address },
            size: size,
            applicationName: applicationName,
            options: options,
            connectAttempts: connectAttempts,
            logger: logger
        )
    }

    /// - Throws: the error of an address that is not known yet.
    package var address: PostgresAddress {
        get throws(PostgresError) { try addressSource() }
    }

    /// Lends a connection to a body, which runs inside it in one hop.
    ///
    /// Cancelling the task ends the wait for a connection, or cancels the running statement. The error is then of kind
    /// `cancelled`.
    ///
    /// - Parameters:
    ///   - limit: how long the body may take before the session is ended; overrides the options' limit.
    ///   - isSpare: whether all other uses get a connection first, also those that ask later. For work that goes on
    ///     without this connection.
    /// - Throws: the body's error; ``PostgresError`` if no connection is available.
    @discardableResult
    package func withConnection<R: Sendable>(
        limit: Duration? = nil,
        isSpare: Bool = false,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async throws -> R {
        switch try await lease(isSpare: isSpare) {
        case .idle(let connection):
            switch await use(connection, checkingFirst: true, limit, body) {
            case .finished(let result, let isReusable):
                giveBack(connection, isReusable: isReusable)
                return try result.get()
            case .stale:
                logger?.debug("an idle connection has ended; making a new one")
                return try await runOnNewConnection(limit, body)
            }
        case .new:
            return try await runOnNewConnection(limit, body)
        }
    }

    private func use<R: Sendable>(
        _ connection: PostgresConnection,
        checkingFirst: Bool,
        _ limit: Duration?,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async -> PostgresConnection.PooledUse<R> {
        let use = UseLimit(connection.breaker)
        let sweptLimit = limit == nil ? options.useLimit : nil
        let expiry = sweptLimit.map { ContinuousClock.now.advanced(by: $0) }
        let (number, isBrokenOff, startsSweep) = uses.withLock { uses in
            uses.lastNumber += 1
            uses.running[uses.lastNumber] = Use(limit: use, expiry: expiry)
            defer { uses.isSwept = uses.isSwept || expiry != nil }
            return (uses.lastNumber, uses.areBrokenOff, expiry != nil && !uses.isSwept)
        }
        defer { uses.withLock { $0.running[number] = nil } }
        if isBrokenOff {
            use.breakOff()
        } else if let limit {
            use.end(within: limit)
        } else if startsSweep, let sweptLimit {
            Task { await sweep(every: sweptLimit / 20) }
        }
        return await connection.runPooled(checkingFirst: checkingFirst, limit: use, body)
    }

    /// Ends the uses that take longer than the options allow, at most a twentieth of the limit too late. Returns when
    /// no use is left. A timer for each use would cost more than a short use itself.
    private func sweep(every pause: Duration) async {
        while true {
            // Nothing cancels this task.
            try? await Task.sleep(for: pause)
            let now = ContinuousClock.now
            let late = uses.withLock { uses -> [UseLimit]? in
                uses.isSwept = uses.running.values.contains { $0.expiry != nil }
                guard uses.isSwept else { return nil }
                return uses.running.values.filter { $0.expiry.map { $0 <= now } ?? false }.map(\.limit)
            }
            guard let late else { return }
            for use in late { use.breakOff() }
        }
    }

    /// The most connections.
    package var size: Int { state.withLock { $0.size } }

    /// Allows more connections. A smaller size than before changes nothing.
    package func grow(to size: Int) {
        for next in state.withLock({ $0.grow(to: size) }) { next.waiter.resume(.success(next.lease)) }
    }

    /// The numbers of connections and waiting uses now.
    package var usage: PostgresPoolUsage {
        state.withLock {
            PostgresPoolUsage(inUse: $0.leasedCount, idle: $0.idleCount, waiting: $0.waiterCount)
        }
    }

    /// Runs a body in a transaction on a lent connection: ``withConnection(limit:isSpare:_:)`` and
    /// ``PostgresConnection/transaction(isolation:readOnly:opening:_:)`` in one.
    ///
    /// - Parameter attempts: how often the body may run if the transaction loses against another one
    ///   (``PostgresError/isRetryable``).
    @discardableResult
    package func withTransaction<R: Sendable>(
        isolation: PostgresIsolation = .readCommitted,
        readOnly: Bool = false,
        attempts: Int = 1,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async throws -> R {
        var attempt = 1
        while true {
            do {
                return try await withConnection { connection in
                    try connection.transaction(isolation: isolation, readOnly: readOnly) { try body(connection) }
                }
            } catch let error as PostgresError where error.isRetryable && attempt < attempts {
                attempt += 1
            }
        }
    }

    /// Refuses new work, waits for the running uses, and closes all connections. May be called more than once.
    package func close() async {
        for connection in refuseNewWork() {
            await connection.close()
        }
        // Waits until every lent connection is back. The grant is only a signal here.
        _ = await withCheckedContinuation { continuation in
            let waiter = Continuation(continuation)
            if !state.withLock({ $0.waitUntilClosed(waiter) }) {
                waiter.resume(.success(.new))
            }
        }
    }

    /// Refuses new work and ends the running uses, for a program that must stop. Their calls throw a lost connection;
    /// whether a commit took effect is unknown. Connections that are being made are given up.
    package func abort() {
        _ = refuseNewWork()
        let running = uses.withLock { uses in
            uses.areBrokenOff = true
            return uses.running.values.map(\.limit)
        }
        for use in running { use.breakOff() }
    }

    /// - Returns: the idle connections.
    private func refuseNewWork() -> [PostgresConnection] {
        let (idle, waiters) = state.withLock { $0.beginClosing() }
        for waiter in waiters {
            waiter.resume(.failure(Self.closed))
        }
        return idle
    }

    private func lease(isSpare: Bool) async throws(PostgresError) -> State.Lease {
        let id = state.withLock { $0.makeWaiterID() }
        let grant = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Continuation(continuation)
                let immediate: Grant? = state.withLock { state in
                    switch state.admit() {
                    case .granted(let lease):
                        return .success(lease)
                    case .closed:
                        return .failure(Self.closed)
                    case .wait where Task.isCancelled:
                        return .failure(Self.cancelled)
                    case .wait:
                        state.enqueue(waiter, id: id, isSpare: isSpare)
                        return nil
                    }
                }
                if let immediate {
                    waiter.resume(immediate)
                }
            }
        } onCancel: {
            state.withLock { $0.removeWaiter(id) }?.resume(.failure(Self.cancelled))
        }
        return try grant.get()
    }

    private func runOnNewConnection<R: Sendable>(
        _ limit: Duration?,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async throws -> R {
        let connection: PostgresConnection
        do throws(PostgresError) {
            connection = try await connect()
        } catch {
            giveBack(nil, isReusable: false)
            throw error
        }
        switch await use(connection, checkingFirst: false, limit, body) {
        case .finished(let result, let isReusable):
            giveBack(connection, isReusable: isReusable)
            return try result.get()
        case .stale:
            giveBack(nil, isReusable: false)
            throw PostgresError(.connectionLost, "the connection was lost", server: connection.address.description)
        }
    }

    private func connect() async throws(PostgresError) -> PostgresConnection {
        var attempt = 1
        while true {
            guard !Task.isCancelled else { throw Self.cancelled }
            do throws(PostgresError) {
                return try await connectOnce()
            } catch  where error.isUnavailable && attempt < connectAttempts {
                attempt += 1
                logger?.debug("connecting failed; trying again", metadata: ["error": "\(error)"])
            } catch  where error.kind == .cancelled && !Task.isCancelled {
                throw Self.closed
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func connectOnce() async throws(PostgresError) -> PostgresConnection {
        let connection = try await PostgresConnection.connect(to: try address, options: options, logger: logger) {
            uses.withLock { $0.areBrokenOff }
        }
        guard await connection.isPooled, uses.withLock({ !$0.arePoolersChecked }) else { return connection }
        do throws(PostgresError) {
            try await PoolerCheck.run(connection)
        } catch {
            await connection.close()
            throw error
        }
        uses.withLock { $0.arePoolersChecked = true }
        return connection
    }

    private func giveBack(_ connection: PostgresConnection?, isReusable: Bool) {
        let kept = isReusable ? connection : nil
        let outcome = state.withLock { $0.giveBack(kept) }
        if let next = outcome.next {
            next.waiter.resume(.success(next.lease))
        }
        for closer in outcome.closers {
            closer.resume(.success(.new))
        }
    }

    private static var closed: PostgresError { PostgresError(.closed, "the connection pool is closed") }
    private static var cancelled: PostgresError { PostgresError(.cancelled, "the task was cancelled") }
}
