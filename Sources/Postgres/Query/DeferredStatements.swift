/// Statements of a transaction that wait for its next statement, to go to the server with it in one round trip.
struct DeferredStatements {
    struct Statement {
        var sql: String
        var parameters: ParameterBuffer
    }

    private(set) var statements: [Statement] = []
    /// How many of them open the transaction.
    private var beginning = 0

    var isEmpty: Bool { statements.isEmpty }
    /// Whether the transaction has begun here, but not yet on the server.
    var isBeginning: Bool { beginning > 0 }
    /// Whether the transaction has no statement but those that open it.
    var isBeginningAlone: Bool { beginning > 0 && beginning == statements.count }

    mutating func begin(_ commands: [String]) {
        statements = commands.map { Statement(sql: $0, parameters: ParameterBuffer()) }
        beginning = commands.count
    }

    mutating func append(_ statement: Statement) {
        statements.append(statement)
    }

    mutating func removeAll() {
        statements.removeAll(keepingCapacity: true)
        beginning = 0
    }

    mutating func take() -> [Statement] {
        defer { removeAll() }
        return statements
    }
}
