/// How many values with a secret were found, by column and month. It never holds a value.
package struct RedactionFindings: Equatable, Sendable {
    /// A column of a table, in a month.
    package struct Place: Hashable, Comparable, Sendable {
        /// `2026-03`; empty for a table without a time.
        package var month: String
        /// The table, or `spool`.
        package var table: String
        package var column: String

        package static func < (first: Place, second: Place) -> Bool {
            (first.table, first.column, first.month) < (second.table, second.column, second.month)
        }
    }

    package private(set) var counts: [Place: Int] = [:]
    /// The ids of the apps whose packed timelines must be made again.
    package var appsToRebuild: [String] = []

    package var total: Int { counts.values.reduce(0, +) }

    /// Sorted by table, column and month.
    package var rows: [(place: Place, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func count(_ column: String, of table: String, month: String) {
        counts[Place(month: month, table: table, column: column), default: 0] += 1
    }
}
