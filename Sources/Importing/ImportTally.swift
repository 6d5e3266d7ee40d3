package import Events

/// What became of the events of an import.
package struct ImportTally: Equatable, Sendable {
    /// Stored now.
    package var accepted = 0
    /// Stored before.
    package var duplicates = 0
    package var rejected: [Rejection.Code: Int] = [:]
    /// Rows of CSV files that the mapping passes over.
    package var skipped = 0

    package init() {}

    package var rejectedCount: Int { rejected.values.reduce(0, +) }

    /// The codes, the most frequent first.
    package var rejections: [(code: Rejection.Code, count: Int)] {
        rejected.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
    }
}
