/// Classes of errors. The SQLSTATEs are from the PostgreSQL documentation, appendix A.
extension PostgresError {
    /// Whether the database is unavailable for now: it refused or lost the connection, is starting, stopping or
    /// read-only, or is out of disk space or connections; or its programs were upgraded and it runs the old ones. The
    /// same work may succeed later, unchanged.
    package var isUnavailable: Bool {
        switch kind {
        case .connectionLost:
            true
        case .connectionFailed:
            sqlState.map(Self.meansUnavailable) ?? true
        case .server:
            isLibraryFailure || sqlState.map(Self.meansUnavailable) ?? false
        case .cancelled, .closed, .invalidValue, .unexpectedResult, .misuse, .invalidAddress,
            .unsuitablePooler:
            false
        }
    }

    private static func meansUnavailable(_ sqlState: String) -> Bool {
        switch sqlState {
        case "57P01", "57P02", "57P03", "57P05":  // shutting down, crashed, not yet up, idle session ended
            true
        case "25006":  // read only: a standby, or the moments of a fail-over
            true
        case "40003":  // statement completion unknown
            true
        case "58030":  // input/output error
            true
        default:
            sqlState.hasPrefix("08") || sqlState.hasPrefix("53")  // connection, insufficient resources
        }
    }

    /// Whether the server could not load one of its own libraries, for example plpgsql. A server whose programs were
    /// upgraded while it runs can't, until it is restarted. PostgreSQL has no SQLSTATE of its own for this.
    package var isLibraryFailure: Bool {
        kind == .server
            && (message.hasPrefix("could not load library ") || message.hasPrefix("incompatible library ")
                || message.hasPrefix("could not access file \"$libdir/"))
    }

    package var isUniqueViolation: Bool { sqlState == "23505" }

    /// Whether any constraint is violated.
    package var isConstraintViolation: Bool { sqlState?.hasPrefix("23") ?? false }

    package var isSerializationFailure: Bool { sqlState == "40001" }

    package var isDeadlock: Bool { sqlState == "40P01" }

    /// Whether the transaction lost against another one. Run it again from its beginning.
    package var isRetryable: Bool { isSerializationFailure || isDeadlock }

    /// Runs a body, and runs it again if its transaction loses against another one (``isRetryable``).
    ///
    /// - Parameter attempts: how often the body may run.
    package static func retrying<R>(attempts: Int, _ body: () throws -> R) throws -> R {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as PostgresError where error.isRetryable && attempt < attempts {
                attempt += 1
            }
        }
    }

    package var isReadOnly: Bool { sqlState == "25006" }

    /// Whether a standby ended the statement or the session because its replay needed what they read.
    package var isRecoveryConflict: Bool { isSerializationFailure && message.contains("conflict with recovery") }

    /// Whether the task was cancelled, or the statement was cancelled on the server.
    package var isCancelled: Bool { kind == .cancelled || (sqlState == "57014" && !isStatementTimeout) }

    /// Whether the statement ran longer than the statement timeout, or waited for a lock longer than the lock timeout.
    package var isStatementTimeout: Bool {
        // The server uses 57014 for a timeout and a cancellation. A cancellation by this program has the kind
        // `cancelled`.
        (sqlState == "57014" && kind == .server && message.contains("statement timeout")) || sqlState == "55P03"
    }

    /// Whether the statement waited for a lock longer than the lock timeout. It is a statement timeout, too.
    package var isLockTimeout: Bool { sqlState == "55P03" }

    /// Whether the server refused the user: wrong password, no such role, or no rule in `pg_hba.conf`.
    package var isAuthenticationFailure: Bool { sqlState?.hasPrefix("28") ?? false }

    /// Whether the role lacks a privilege.
    package var isPermissionDenied: Bool { sqlState == "42501" }

    /// Whether the server has no database of that name.
    package var isMissingDatabase: Bool { sqlState == "3D000" }

    /// Whether there is a table, a function, a type or another object of that name already.
    package var isDuplicateObject: Bool { ["42P07", "42710", "42723"].contains(sqlState) }
}
