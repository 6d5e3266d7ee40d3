/// Matches a row if all tests of one of the alternatives hold.
struct RowCondition: Equatable, Sendable {
    struct Test: Equatable, Sendable {
        var column: ColumnReference
        var expectation: Expectation
    }

    enum Expectation: Equatable, Sendable {
        case isOne(of: Set<String>)
        case isNone(of: Set<String>)
        case isEmpty(Bool)
    }

    var alternatives: [[Test]]
}
