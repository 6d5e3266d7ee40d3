import Foundation
import Time

/// The zone of times without an offset. It remembers the offset of each day, to avoid a lookup for each time.
struct LocalZone {
    private enum Clock {
        case zone(TimeZone)
        case fixed(Int64)
    }

    private static let dayLength: Int64 = 86_400_000_000
    private let clock: Clock
    /// By local day: the offset from UTC in seconds; nil if the clocks may change around that day.
    private var offsets: [Int64: Int64?] = [:]

    /// - Parameter name: a name of the IANA database, or an offset such as `+02:00`.
    init?(_ name: String) {
        var scanner = TimeScanner(Array(name.utf8)[...])
        if let first = name.utf8.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
            clock = .fixed(Int64(offset))
        } else if name == "UTC" {
            clock = .fixed(0)
        } else {
            // `TimeZone` also takes abbreviations, which mean different zones to different people.
            guard name.contains("/") || TimeZone.knownTimeZoneIdentifiers.contains(name),
                let zone = TimeZone(identifier: name)
            else { return nil }
            clock = .zone(zone)
        }
    }

    /// For suggestions.
    static var names: [String] { ["UTC"] + TimeZone.knownTimeZoneIdentifiers }

    /// The instant at which the zone's clocks show what `local` shows in UTC.
    ///
    /// If the clocks show the time twice, this is the first of the two. If they skip it, it is later by as much as they
    /// skip: 02:30 becomes 03:30.
    mutating func instant(at local: Timestamp) -> Timestamp {
        let (quotient, remainder) = local.microseconds.quotientAndRemainder(dividingBy: Self.dayLength)
        let day = remainder < 0 ? quotient - 1 : quotient
        let offset = offset(of: day) ?? offset(at: local)
        return local.advanced(by: .seconds(-offset))
    }

    private mutating func offset(of day: Int64) -> Int64? {
        if case .fixed(let offset) = clock { return offset }
        if let known = offsets[day] { return known }
        // No zone is more than 15 hours from UTC, and none changes twice in so short a time.
        let before = offset(atUTC: day * 86_400 - 15 * 3_600)
        let after = offset(atUTC: (day + 1) * 86_400 + 15 * 3_600)
        let offset = before == after ? before : nil
        offsets[day] = .some(offset)
        return offset
    }

    private func offset(at local: Timestamp) -> Int64 {
        let second = (local.microseconds - (local.microseconds < 0 ? 999_999 : 0)) / 1_000_000
        let before = offset(atUTC: second - 86_400)
        let after = offset(atUTC: second + 86_400)
        // The larger offset is the earlier instant.
        for candidate in [max(before, after), min(before, after)] where offset(atUTC: second - candidate) == candidate {
            return candidate
        }
        return before
    }

    private func offset(atUTC second: Int64) -> Int64 {
        switch clock {
        case .fixed(let offset): offset
        case .zone(let zone): Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        }
    }
}
