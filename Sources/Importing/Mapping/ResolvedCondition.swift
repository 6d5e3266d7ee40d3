/// A condition whose columns have been found in a file.
struct ResolvedCondition {
    private let alternatives: [[(column: Int, expectation: RowCondition.Expectation)]]

    init(_ condition: RowCondition, _ finder: ColumnFinder) throws(ImportError) {
        var alternatives: [[(column: Int, expectation: RowCondition.Expectation)]] = []
        for alternative in condition.alternatives {
            var tests: [(column: Int, expectation: RowCondition.Expectation)] = []
            for test in alternative { tests.append((try finder.position(of: test.column), test.expectation)) }
            alternatives.append(tests)
        }
        self.alternatives = alternatives
    }

    /// - Parameter cell: returns the text of a column; nil for an empty value.
    func holds(for row: CSVRow, cell: (CSVRow, Int) -> ArraySlice<UInt8>?) -> Bool {
        alternatives.contains { tests in
            tests.allSatisfy { test in
                switch test.expectation {
                case .isEmpty(let isEmpty): (cell(row, test.column) == nil) == isEmpty
                case .isOne(let texts): texts.contains(String(decoding: row[test.column], as: UTF8.self))
                case .isNone(let texts): !texts.contains(String(decoding: row[test.column], as: UTF8.self))
                }
            }
        }
    }
}
