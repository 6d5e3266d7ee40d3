import Time

/// How a column spells times.
package enum TimeFormat: Equatable, Sendable {
    /// `2026-01-31T12:00:00.5+01:00` (RFC 3339), and the same with a blank for the `T`, without seconds, without a time
    /// of day, or without an offset, which the zone then says.
    case dateTime
    /// Units since 1970-01-01T00:00:00Z, with decimals or without.
    case unix(microsecondsPerUnit: Int64)
    /// The directives of `strptime`.
    case pattern(TimePattern)

    /// What a mapping may say beside patterns.
    static let names: [(name: String, format: TimeFormat)] = [
        ("datetime", .dateTime),
        ("rfc3339", .dateTime),
        ("unix_seconds", .unix(microsecondsPerUnit: 1_000_000)),
        ("unix_milliseconds", .unix(microsecondsPerUnit: 1_000)),
        ("unix_microseconds", .unix(microsecondsPerUnit: 1)),
    ]

    /// Whether a time in this format always says its offset.
    var needsNoZone: Bool {
        switch self {
        case .dateTime: false
        case .unix: true
        case .pattern(let pattern): pattern.hasOffset
        }
    }
}
