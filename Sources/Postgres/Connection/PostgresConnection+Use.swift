import CLibpq
import Logging

extension PostgresConnection {
    /// What became of a use that the pool has given to the connection.
    enum PooledUse<R: Sendable>: Sendable {
        /// The session had ended while it was idle; the body has not run.
        case stale
        case finished(Result<R, any Error>, isReusable: Bool)
    }

    /// Runs work inside the actor, in one hop. Cancelling the task cancels the statement that is running, and no further
    /// one begins.
    @discardableResult
    package func run<R: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async throws -> R {
        let use = cancelKey.map { CancellableUse($0) }
        return try await withTaskCancellationHandler {
            try perform(use, body)
        } onCancel: {
            use?.cancel()
        }
    }

    /// The same for the pool: checks the session before and leaves it clean behind. A server that answers neither within
    /// the limit nor to a cancellation loses the session.
    func runPooled<R: Sendable>(
        checkingFirst: Bool,
        limit: UseLimit,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async -> PooledUse<R> {
        if checkingFirst, handle?.isAliveWhileIdle() != true {
            limit.finish()
            return .stale
        }
        let use = cancelKey.map { CancellableUse($0) }
        return await withTaskCancellationHandler {
            let result = Result { try perform(use, body) }
            let isClean = isCleanAfterUse()
            // After the rollback above, which may hang as well.
            guard limit.finish() else { return .finished(result, isReusable: isClean) }
            return .finished(result.mapError(givenUp), isReusable: false)
        } onCancel: {
            limit.end(within: UseLimit.cancellationPatience)
            use?.cancel()
        }
    }

    /// What libpq says of a session that this program has broken off, in words that say so.
    private func givenUp(_ error: any Error) -> any Error {
        guard var error = error as? PostgresError, error.kind == .connectionLost else { return error }
        if currentUse?.isCancelled == true || Task.isCancelled { error.kind = .cancelled }
        error.message = "the server did not answer in time; the session was given up"
        return error
    }

    private func perform<R>(
        _ use: CancellableUse?,
        _ body: (isolated PostgresConnection) throws -> R
    ) throws -> R {
        let outerUse = currentUse
        currentUse = use
        defer {
            currentUse = outerUse
            if use?.finish() == false {
                isTainted = true
            }
        }
        return try body(self)
    }

    /// Whether the next user finds a session without an open transaction.
    private func isCleanAfterUse() -> Bool {
        guard isUsable, let handle else { return false }
        switch PQtransactionStatus(handle.pointer) {
        case PQTRANS_IDLE:
            return true
        case PQTRANS_INTRANS, PQTRANS_INERROR:
            logger?.warning("A transaction was left open and is rolled back")
            guard (try? runCommand("rollback", on: handle)) != nil else { return false }
            return PQtransactionStatus(handle.pointer) == PQTRANS_IDLE
        default:
            return false
        }
    }
}
