import CLibpq
import Logging

/// What a transaction sees of others (PostgreSQL documentation, "Transaction Isolation").
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

    /// Runs work in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// - Parameters:
    ///   - isolation: with `repeatableRead` and `serializable` be ready for ``PostgresError/isRetryable``.
    ///   - readOnly: the server then refuses to write.
    ///   - opening: commands to run first. They and the beginning go to the server with the body's first statement, in one
    ///     round trip; where there is none, they do not run.
    /// - Throws: what the body throws; or the commit's error. After ``PostgresError/Kind/connectionLost`` from the commit
    ///   it is unknown whether the work took effect.
    @discardableResult
    package func transaction<R>(
        isolation: PostgresIsolation = .readCommitted,
        readOnly: Bool = false,
        opening: [String] = [],
        _ body: () throws -> R
    ) throws -> R {
        // Without "read write": it would override `default_transaction_read_only`, with which an operator, or a managed
        // service whose disk is nearly full, asks for no more writes.
        let begin = "begin isolation level \(isolation.rawValue)\(readOnly ? " read only" : "")"
        guard !isInTransaction else {
            throw PostgresError(.misuse, "a transaction is already open; use savepoint", statement: begin)
        }
        do {
            if opening.isEmpty {
                try runCommand(begin, on: readyHandle(for: begin))
            } else {
                _ = try checkedHandle(for: begin)
                deferred.begin([begin] + opening)
            }
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs work within an open transaction such that its failure undoes only the work itself.
    @discardableResult
    package func savepoint<R>(_ body: () throws -> R) throws -> R {
        let name = "tributary_savepoint"
        try runCommand("savepoint \(name)", on: readyHandle(for: "savepoint"))
        do {
            let result = try body()
            try runCommand("release savepoint \(name)", on: readyHandle(for: "release savepoint"))
            return result
        } catch {
            if let handle, handle.isUsable {
                _ = try? runCommand("rollback to savepoint \(name); release savepoint \(name)", on: handle)
            }
            throw error
        }
    }

    private func commit() throws(PostgresError) {
        if deferred.isBeginningAlone {
            deferred.removeAll()
            return
        }
        // A failed transaction "commits" with the tag ROLLBACK and no error.
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

    /// Also for a cancelled use. A connection on which it fails is no longer usable.
    private func rollBack() {
        deferred.removeAll()
        guard let handle, handle.isUsable, isInTransaction else { return }
        do throws(PostgresError) {
            try runCommand("rollback", on: handle)
        } catch {
            isTainted = true
            logger?.warning("A rollback failed; the connection is given up", metadata: ["error": "\(error)"])
        }
    }
}
