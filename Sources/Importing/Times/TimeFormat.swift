import Time

/// The format of the times in a column.
package enum TimeFormat: Equatable, Sendable {
    /// `2026-01-31T12:00:00.5+01:00` (RFC 3339). Also with a blank in place of the `T`, without seconds, without a time
    /// of day, or without an offset; then the zone is needed.
    case dateTime
    /// Units since 1970-01-01T00:00:00Z, with decimals or without.
    case unix(microsecondsPerUnit: Int64)
    /// The directives of `strptime`.
    case pattern(TimePattern)

    /// The names of formats that are not patterns.
    static let names: [(name: String, format: TimeFormat)] = [
        ("datetime", .dateTime),
        ("rfc3339", .dateTime),
        ("unix_seconds", .unix(microsecondsPerUnit: 1_000_000)),
        ("unix_milliseconds", .unix(microsecondsPerUnit: 1_000)),
        ("unix_microseconds", .unix(microsecondsPerUnit: 1)),
    ]

    /// Whether a time in this format always has its offset.
    var needsNoZone: Bool {
        switch self {
        case .dateTime: false
        case .unix: true
        case .pattern(let pattern): pattern.hasOffset
        }
    }
}
