/// Converts times: PostgreSQL's binary `timestamptz` counts microseconds since 2000-01-01T00:00:00Z, this program since
/// 1970.
enum PostgresTimestamp {
    private static let epoch: Int64 = 946_684_800_000_000

    /// - Parameter microseconds: since 1970. `Int64.max` and `Int64.min` are `infinity` and `-infinity`. A time that
    ///   cannot be expressed becomes a value that the server refuses as out of range.
    static func encode(_ microseconds: Int64) -> Int64 {
        if microseconds == .max || microseconds == .min { return microseconds }
        let (value, overflow) = microseconds.subtractingReportingOverflow(epoch)
        return overflow ? .min + 1 : value
    }

    static func decode(_ value: Int64) -> Int64 {
        if value == .max || value == .min { return value }
        let (microseconds, overflow) = value.addingReportingOverflow(epoch)
        return overflow ? .max - 1 : microseconds
    }
}
