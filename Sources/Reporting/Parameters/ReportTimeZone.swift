import Events
import Foundation
import Time

/// The time zone of a report's days.
package struct ReportTimeZone: Sendable {
    /// The IANA name.
    package let name: String
    private let zone: TimeZone

    /// - Parameter name: in a query its `+` may have become a blank.
    package init?(_ name: String) {
        let name = PlusSign.restored(inZone: name)
        // `TimeZone` also takes abbreviations and names in another case, which PostgreSQL and people read differently.
        // Only names of the IANA database, and UTC, are accepted.
        guard name == "UTC" || name.contains("/") || Self.names.contains(name) else { return nil }
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    package static let names: [String] = ["UTC"] + TimeZone.knownTimeZoneIdentifiers

    /// Suggestions for an unknown name: the zones of a city, or the zones of the region that the name starts with
    /// (`Europe/`), or all regions.
    package static func names(near name: String) -> [String] {
        let city = "/" + name.lowercased().replacing(" ", with: "_")
        let ofCity = names.filter { $0.lowercased().hasSuffix(city) }
        if !ofCity.isEmpty { return ofCity }
        let region = name.prefix { $0 != "/" } + "/"
        let ofRegion = names.filter { $0.lowercased().hasPrefix(region.lowercased()) }
        if !ofRegion.isEmpty { return ofRegion }
        let regions = Set(names.filter { $0.contains("/") }.map { "\($0.prefix { $0 != "/" })/…" })
        return ["UTC"] + regions.sorted()
    }

    /// How many seconds the zone is ahead of UTC at an instant.
    func secondsFromUTC(at instant: Timestamp) -> Int {
        let second = floorQuotient(instant.microseconds, by: 1_000_000)
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }

    func day(of instant: Timestamp) -> CivilDate {
        let local = floorQuotient(instant.microseconds, by: 1_000_000) + Int64(secondsFromUTC(at: instant))
        return CivilDate(number: Int(floorQuotient(local, by: 86_400)))
    }

    /// The same time of the clock, some days earlier. The first instant of a day becomes that of the earlier day. A
    /// time that clocks show twice on the earlier day is the first of the two; one that they skip is as much later as
    /// they skip.
    func instant(_ instant: Timestamp, movedBackBy days: Int) -> Timestamp {
        let day = day(of: instant)
        if start(of: day) == instant { return start(of: CivilDate(number: day.number - days)) }
        let offset = Int64(secondsFromUTC(at: instant)) * 1_000_000
        return self.instant(atLocal: instant.microseconds + offset - Int64(days) * Timestamp.microsecondsPerDay)
    }

    /// When the clock shows a time on a day. A time that it shows twice is the first of the two; one that it skips is
    /// as much later as it skips.
    ///
    /// - Parameter minute: of the day, from 0.
    func instant(on day: CivilDate, minute: Int) -> Timestamp {
        minute == 0
            ? start(of: day)
            : instant(atLocal: Int64(day.number) * Timestamp.microsecondsPerDay + Int64(minute) * 60_000_000)
    }

    /// - Parameter local: microseconds from 1970-01-01T00:00:00 as the clock shows them.
    private func instant(atLocal local: Int64) -> Timestamp {
        let dayLength = Timestamp.microsecondsPerDay
        func offset(at microseconds: Int64) -> Int64 {
            Int64(secondsFromUTC(at: Timestamp(microseconds: microseconds))) * 1_000_000
        }
        let before = offset(at: local - dayLength * 3 / 2)
        let after = offset(at: local + dayLength * 3 / 2)
        for candidate in [max(before, after), min(before, after)] where offset(at: local - candidate) == candidate {
            return Timestamp(microseconds: local - candidate)
        }
        return Timestamp(microseconds: local - before)
    }

    /// The first instant of a day: midnight, or the time to which the clocks are put forward over midnight.
    func start(of day: CivilDate) -> Timestamp {
        let midnight = Int64(day.number) * 86_400
        func offset(at second: Int64) -> Int64 {
            Int64(secondsFromUTC(at: Timestamp(microseconds: second * 1_000_000)))
        }
        // No zone is more than 14 hours from UTC, and none changes its offset twice within two days.
        let before = offset(at: midnight - 36 * 3600)
        let after = offset(at: midnight + 36 * 3600)
        // If clocks are put back, midnight may come twice. The larger offset is the earlier one.
        for candidate in [max(before, after), min(before, after)] where offset(at: midnight - candidate) == candidate {
            return Timestamp(microseconds: (midnight - candidate) * 1_000_000)
        }
        // There is no midnight: find the change by bisection.
        var low = midnight - max(before, after) - 36 * 3600
        var high = midnight - min(before, after) + 36 * 3600
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return Timestamp(microseconds: high * 1_000_000)
    }
}
