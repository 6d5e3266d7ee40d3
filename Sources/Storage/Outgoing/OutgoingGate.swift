package import Postgres

/// Whether webhooks and schedules may send from this database. A copy must not: the receivers hear from its original.
///
/// The database remembers where it was when it first sent: the server, the database and the table, by their numbers. A
/// restored dump and a copy have others. A promoted standby has the same, and so has a base backup that is started
/// elsewhere (docs/operations.md, *A copy is silent*).
package enum OutgoingGate: Equatable, Sendable {
    case open
    /// By `tributary outgoing pause`.
    case paused
    case copied

    /// Nil if it is open.
    package var reason: String? {
        switch self {
        case .open: nil
        case .paused: "'tributary outgoing pause' has silenced it; 'tributary outgoing resume' lets it send again"
        case .copied:
            "the database was copied or restored; 'tributary outgoing resume' lets it send, if its original does not"
        }
    }

    /// Asked before anything is sent. The first time, the database remembers where it is.
    package static func pass(on connection: isolated PostgresConnection) throws -> OutgoingGate {
        guard let row = try connection.query(StoredSQL.selectOutgoing).first else {
            try connection.execute(StoredSQL.insertOutgoing, [.bool(false)])
            return try state(on: connection)
        }
        let gate = try OutgoingGate(row)
        // A standby was promoted. It may have lost the last messages that were sent, with their numbers.
        if gate == .open, try !row.bool(2) { try connection.transaction { try reopen(on: connection) } }
        return gate
    }

    /// The same without writing.
    package static func state(on connection: isolated PostgresConnection) throws -> OutgoingGate {
        try connection.query(StoredSQL.selectOutgoing).first.map { try OutgoingGate($0) } ?? .open
    }

    package static func pause(on connection: isolated PostgresConnection) throws {
        try connection.transaction {
            try connection.execute(StoredSQL.insertOutgoing, [.bool(true)])
            try ChangeLog.write(.pauseOutgoing, app: nil, on: connection)
        }
    }

    /// Lets this database send, wherever it came from.
    package static func resume(on connection: isolated PostgresConnection) throws {
        try connection.transaction {
            try reopen(on: connection)
            try ChangeLog.write(.resumeOutgoing, app: nil, on: connection)
        }
    }

    private static func reopen(on connection: isolated PostgresConnection) throws {
        try connection.execute(StoredSQL.raiseMessageNumbers)
        try connection.execute(StoredSQL.resumeOutgoing)
    }

    private init(_ row: PostgresRow) throws {
        self = try row.bool(1) ? .paused : try row.bool(0) ? .open : .copied
    }
}
