/// Statements of a transaction that go to the server with its next one, in one round trip.
struct DeferredStatements {
    struct Statement {
        var sql: String
        var parameters: ParameterBuffer
    }

    private(set) var statements: [Statement] = []
    /// How many of them begin the transaction.
    private var beginning = 0

    var isEmpty: Bool { statements.isEmpty }
    /// Whether the server has not been told of the transaction yet.
    var isBeginning: Bool { beginning > 0 }
    /// Whether nothing has been asked of the transaction.
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
