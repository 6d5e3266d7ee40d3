package import Events

/// How many events of an import were stored or not.
package struct ImportTally: Equatable, Sendable {
    /// Events that this import stored.
    package var accepted = 0
    /// Events that were stored before.
    package var duplicates = 0
    package var rejected: [Rejection.Code: Int] = [:]
    /// What senders of events should know: of each code and field, how often.
    package var warned: [String: Int] = [:]
    /// Rows of CSV files that the mapping skips.
    package var skipped = 0
    /// Files without a line.
    package var emptyFiles = 0

    package init() {}

    mutating func count(_ warnings: [DecodedEvent.Warning]) {
        for warning in warnings {
            warned[[warning.code.rawValue, warning.field].compactMap(\.self).joined(separator: " "), default: 0] += 1
        }
    }

    package var rejectedCount: Int { rejected.values.reduce(0, +) }

    /// The codes, the most frequent first.
    package var rejections: [(code: Rejection.Code, count: Int)] {
        rejected.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
    }
}
