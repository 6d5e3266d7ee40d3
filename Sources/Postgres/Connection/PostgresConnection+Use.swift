import CLibpq
import Logging

extension PostgresConnection {
    /// The result of a use of a pooled connection.
    enum PooledUse<R: Sendable>: Sendable {
        /// The session ended while it was idle. The body has not run.
        case stale
        case finished(Result<R, any Error>, isReusable: Bool)
    }

    /// Runs a body inside the actor, in one hop. Cancelling the task cancels the running statement and keeps further
    /// ones from starting.
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

    /// The same for the pool: checks the session first, and leaves it without an open transaction. If the server
    /// answers neither within the limit nor to a cancellation, the session is ended.
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
            // Only now: the rollback above may hang, too.
            guard limit.finish() else { return .finished(result, isReusable: isClean) }
            return .finished(result.mapError(givenUp), isReusable: false)
        } onCancel: {
            limit.end(within: UseLimit.cancellationPatience)
            use?.cancel()
        }
    }

    /// Replaces libpq's message about a lost connection, because this program itself ended the session.
    private func givenUp(_ error: any Error) -> any Error {
        guard var error = error as? PostgresError, error.kind == .connectionLost else { return error }
        if currentUse?.isCancelled == true || Task.isCancelled { error.kind = .cancelled }
        error.message = "the server did not answer in time; the session was ended"
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

    /// Makes sure that the next user gets a session without an open transaction.
    ///
    /// - Returns: whether the session can be used again.
    private func isCleanAfterUse() -> Bool {
        guard isUsable, let handle else { return false }
        switch PQtransactionStatus(handle.pointer) {
        case PQTRANS_IDLE:
            return true
        case PQTRANS_INTRANS, PQTRANS_INERROR:
            logger?.warning("a transaction was left open and is rolled back")
            guard (try? runCommand("rollback", on: handle)) != nil else { return false }
            return PQtransactionStatus(handle.pointer) == PQTRANS_IDLE
        default:
            return false
        }
    }
}
