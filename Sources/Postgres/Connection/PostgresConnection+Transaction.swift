import CLibpq
import Logging

/// What a transaction sees of other transactions (PostgreSQL documentation, "Transaction Isolation").
package enum PostgresIsolation: String, Sendable {
    case readCommitted = "read committed"
    case repeatableRead = "repeatable read"
    case serializable = "serializable"
}

extension PostgresConnection {
    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        guard let handle else { return false }
        if deferred.isBeginning { return true }
        switch PQtransactionStatus(handle.pointer) {
        case PQTRANS_INTRANS, PQTRANS_INERROR: return true
        default: return false
        }
    }

    /// Runs a body in a transaction. Commits when the body returns, and rolls back when it throws.
    ///
    /// - Parameters:
    ///   - isolation: with `repeatableRead` or `serializable`, expect errors that are ``PostgresError/isRetryable``.
    ///   - readOnly: whether the server refuses writes.
    ///   - opening: commands to run first. They and `begin` go to the server with the body's first statement, in one
    ///     round trip. If the body has no statement, they do not run.
    ///   - attempts: how often the body may run if the transaction loses against another one
    ///     (``PostgresError/isRetryable``).
    /// - Throws: the body's error, or the commit's. If the commit throws ``PostgresError/Kind/connectionLost``, it is
    ///   unknown whether the transaction took effect.
    @discardableResult
    package func transaction<R>(
        isolation: PostgresIsolation = .readCommitted,
        readOnly: Bool = false,
        opening: [String] = [],
        attempts: Int = 1,
        _ body: () throws -> R
    ) throws -> R {
        try PostgresError.retrying(attempts: attempts) {
            try transactionOnce(isolation, readOnly, opening, body)
        }
    }

    /// Runs a part of the open transaction. If the body throws, what it did is undone, and the transaction goes on.
    package func savepoint<R>(_ body: () throws -> R) throws -> R {
        try execute("savepoint part")
        let result: R
        do {
            result = try body()
        } catch {
            // If this fails, the transaction does.
            try? executeScript("rollback to savepoint part; release savepoint part")
            throw error
        }
        try execute("release savepoint part")
        return result
    }

    private func transactionOnce<R>(
        _ isolation: PostgresIsolation,
        _ readOnly: Bool,
        _ opening: [String],
        _ body: () throws -> R
    ) throws -> R {
        // Without "read write", which would override `default_transaction_read_only`: an operator, or a managed service
        // whose disk is nearly full, sets it to stop writes.
        let begin = "begin isolation level \(isolation.rawValue)\(readOnly ? " read only" : "")"
        guard !isInTransaction else {
            throw PostgresError(.misuse, "a transaction is already open", statement: begin)
        }
        do {
            if opening.isEmpty {
                try runCommand(begin, on: readyHandle(for: begin))
            } else {
                _ = try checkedHandle(for: begin)
                deferred.begin([begin] + opening.map { text(of: $0) })
            }
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    private func commit() throws(PostgresError) {
        if deferred.isBeginningAlone {
            deferred.removeAll()
            return
        }
        // The server answers the commit of a failed transaction with the tag ROLLBACK, and no error.
        let tag: String
        if deferred.isEmpty {
            tag = try runCommand("commit", on: readyHandle(for: "commit"))
        } else {
            let result = try runWithDeferred("commit", [])
            defer { PQclear(result) }
            tag = String(cString: PQcmdStatus(result))
        }
        guard tag == "COMMIT" else {
            throw PostgresError(
                .server,
                "the transaction had failed and was rolled back",
                sqlState: "25P02",
                statement: "commit"
            )
        }
    }

    /// Rolls back, also in a cancelled use. If that fails, the connection is no longer usable.
    private func rollBack() {
        deferred.removeAll()
        guard let handle, handle.isUsable, isInTransaction else { return }
        do throws(PostgresError) {
            try runCommand("rollback", on: handle)
        } catch {
            isTainted = true
            // A cancelled use may have closed the connection itself.
            if currentUse?.isCancelled == true || Task.isCancelled { return }
            logger?.warning("a rollback failed; the connection is dropped", metadata: ["error": "\(error)"])
        }
    }
}
