import RandomTesting
@testable import Reporting
import Testing
import Time

/// The forms of `--from` and `--to`, over HTTP `from=` and `to=` (docs/reports.md, *Times*).
@Suite("Times of a range")
struct ReportInstantTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/Havana", "Africa/Cairo",
        "Asia/Kathmandu", "Pacific/Apia", "Pacific/Auckland", "Australia/Lord_Howe",
    ]

    private func read(_ text: String, _ zone: String, now: String) throws -> String {
        let now = try #require(Timestamp(rfc3339: now))
        let zone = try #require(ReportTimeZone(zone))
        return try ReportInstant.parse(text, field: "from", zone: zone, now: now).rfc3339
    }

    @Test(
        arguments: [
            ("7d", "Europe/Berlin", "2026-11-25T12:00:00Z", "2026-11-18T12:00:00Z"),
            ("90s", "UTC", "2026-11-25T12:00:00.25Z", "2026-11-25T11:58:30.250000Z"),
            ("36h", "UTC", "2026-01-01T00:00:00Z", "2025-12-30T12:00:00Z"),
            ("0s", "UTC", "2026-11-25T12:00:00Z", "2026-11-25T12:00:00Z"),
            ("now", "UTC", "2026-11-25T12:00:00.000001Z", "2026-11-25T12:00:00.000001Z"),
            ("36500d", "UTC", "2026-11-25T12:00:00Z", "1926-12-20T12:00:00Z"),
            // A day is 24 hours, also if clocks change: 26 October 2025 had 25.
            ("1d", "Europe/Berlin", "2025-10-26T12:00:00Z", "2025-10-25T12:00:00Z"),
            ("today", "UTC", "2026-11-25T00:00:00Z", "2026-11-25T00:00:00Z"),
            ("today", "Europe/Berlin", "2026-11-24T23:00:00Z", "2026-11-24T23:00:00Z"),
            ("today", "America/New_York", "2026-11-25T04:59:59Z", "2026-11-24T05:00:00Z"),
            ("yesterday", "UTC", "2026-03-01T09:00:00Z", "2026-02-28T00:00:00Z"),
            ("yesterday", "UTC", "2024-03-01T09:00:00Z", "2024-02-29T00:00:00Z"),
            ("yesterday", "UTC", "2026-01-01T09:00:00Z", "2025-12-31T00:00:00Z"),
            // Days of 25 and of 23 hours.
            ("yesterday", "Europe/Berlin", "2025-10-27T12:00:00Z", "2025-10-25T22:00:00Z"),
            ("today", "Europe/Berlin", "2025-10-26T12:00:00Z", "2025-10-25T22:00:00Z"),
            ("yesterday", "Europe/Berlin", "2025-03-31T12:00:00Z", "2025-03-29T23:00:00Z"),
            // The clocks are put forward at midnight: the day begins at 01:00.
            ("today", "America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z"),
            ("yesterday", "America/Sao_Paulo", "2018-11-05T12:00:00Z", "2018-11-04T03:00:00Z"),
            // Samoa skipped 30 December 2011.
            ("yesterday", "Pacific/Apia", "2011-12-30T12:00:00Z", "2011-12-29T10:00:00Z"),
            ("monday", "UTC", "2026-11-25T12:00:00Z", "2026-11-23T00:00:00Z"),
            ("monday", "Europe/Berlin", "2026-11-22T23:00:00Z", "2026-11-22T23:00:00Z"),
            ("last-week", "UTC", "2026-11-25T12:00:00Z", "2026-11-16T00:00:00Z"),
            ("this-month", "Europe/Berlin", "2026-11-25T12:00:00Z", "2026-10-31T23:00:00Z"),
            ("last-month", "UTC", "2026-01-31T12:00:00Z", "2025-12-01T00:00:00Z"),
            ("1days", "UTC", "2026-11-25T12:00:00Z", "2026-11-25T00:00:00Z"),
            // Over a change of clocks, too, these are days of the calendar.
            ("30days", "Europe/Berlin", "2026-11-05T12:00:00Z", "2026-10-06T22:00:00Z"),
            ("2026-11", "UTC", "2026-11-25T12:00:00Z", "2026-11-01T00:00:00Z"),
            ("2026-11", "Europe/Berlin", "2026-01-01T00:00:00Z", "2026-10-31T23:00:00Z"),
            ("2024-02", "America/New_York", "2026-01-01T00:00:00Z", "2024-02-01T05:00:00Z"),
            ("2026-12", "Pacific/Auckland", "2026-01-01T00:00:00Z", "2026-11-30T11:00:00Z"),
        ]
    )
    func areRead(text: String, zone: String, now: String, expected: String) throws {
        #expect(try read(text, zone, now: now) == expected)
    }

    /// Whoever asks: the command line and HTTP, for a report or an export.
    @Test func areTheSameEverywhere() throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-25T12:00:00Z"))
        let parameters = [(name: "from", value: "2026-11"), (name: "to", value: "7d")]
        let app = Asking.app(timeZone: "Europe/Berlin")
        var ranges = try [RequestOrigin.commandLine, .http].map { origin in
            try ReportRequest.parse(name: "refs", parameters: parameters, origin: origin, app: app, now: now).range
        }
        ranges.append(try ExportRequest.parse(name: "events", parameters: parameters, app: app, now: now).range)
        for range in ranges {
            #expect(range.from.rfc3339 == "2026-10-31T23:00:00Z" && range.to.rfc3339 == "2026-11-18T12:00:00Z")
        }
    }

    /// The dashboard shows the same days.
    @Test(
        arguments: [
            ([:], "2026-10-26T23:00:00Z", "2026-11-25T12:00:00Z"),
            (["from": "30days"], "2026-10-26T23:00:00Z", "2026-11-25T12:00:00Z"),
            (["to": "today"], "2026-10-25T23:00:00Z", "2026-11-24T23:00:00Z"),
            (["from": "last-week", "to": "monday"], "2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z"),
        ] as [([String: String], String, String)]
    )
    func areThirtyDaysOfTheCalendarByDefault(parameters: [String: String], from: String, to: String) throws {
        let request = try ReportRequest.parse(
            name: "refs",
            parameters: parameters.map { ($0.key, $0.value) },
            origin: .http,
            app: Asking.app(timeZone: "Europe/Berlin"),
            now: try #require(Timestamp(rfc3339: "2026-11-25T12:00:00Z"))
        )
        #expect(request.range.from.rfc3339 == from && request.range.to.rfc3339 == to)
    }

    /// A `+` that is not escaped arrives as a blank.
    @Test func keepTheirPlus() throws {
        for text in ["2026-11-01T00:00:00 01:00", "2026-11-01T00:00:00+0100", "2026-11-01 00:00:00 0100"] {
            #expect(try read(text, "UTC", now: "2026-11-25T12:00:00Z") == "2026-10-31T23:00:00Z")
        }
        let app = Asking.app(timeZone: "UTC")
        let now = try #require(Timestamp(rfc3339: "2026-11-25T12:00:00Z"))
        let request = try ReportRequest.parse(
            name: "refs",
            parameters: [("tz", "Etc/GMT 2"), ("from", "2026-11-01")],
            origin: .http,
            app: app,
            now: now
        )
        #expect(request.zone.name == "Etc/GMT+2" && request.range.from.rfc3339 == "2026-11-01T02:00:00Z")
        #expect(ReportTimeZone("Europe/New York") == nil)
    }

    @Test(arguments: [
        "soon", "Today", "tomorrow", "2026", "2026-13", "2026-00", "2026-1", "2026-11-", "2026-11-31", "7", "d", "7w",
        "-7d", "1.5d", "7 d", "36501d", "0days", "7 days", "-7days", "36501days", "days", "tuesday", "next-week",
        "99999999999d", "2026-W47", "2026-01-01T10:00:00", "",
    ])
    func areNothingElse(text: String) throws {
        #expect(throws: ReportError.self) { try read(text, "UTC", now: "2026-11-25T12:00:00Z") }
    }

    /// At any moment and in any zone: the days touch one another, and a month begins with its first day.
    @Test(arguments: zones) func agreeWithTheCalendar(name: String) throws {
        let zone = try #require(ReportTimeZone(name))
        var random = SeededRandom(seed: TestSeeds.first)
        func parse(_ text: String, _ now: Timestamp) throws -> Timestamp {
            try ReportInstant.parse(text, field: "to", zone: zone, now: now)
        }
        for _ in 0..<2_000 {
            // 2010 to 2026.
            let seconds = Int64.random(in: 1_262_304_000...1_800_000_000, using: &random)
            let now = Timestamp(microseconds: seconds * 1_000_000 + Int64.random(in: 0..<1_000_000, using: &random))
            let day = zone.day(of: now)
            let (today, yesterday) = (try parse("today", now), try parse("yesterday", now))
            #expect(yesterday < today && today <= now)
            #expect(try parse(day.description, now) == today)
            #expect(zone.day(of: today.advanced(byMicroseconds: -1)) == zone.day(of: yesterday))
            #expect(zone.day(of: yesterday) < day)
            let month = String(day.description.prefix(7))
            let first = try parse(month, now)
            #expect(first <= today)
            #expect(zone.day(of: first) == day.firstOfMonth)
            #expect(zone.day(of: first.advanced(byMicroseconds: -1)) < day.firstOfMonth)
            let days = Int64.random(in: 0...400, using: &random)
            #expect(now.microseconds - (try parse("\(days)d", now)).microseconds == days * 86_400_000_000)
        }
    }

    @Test(
        arguments: [
            ("2026-11", "2026-11", "the end is not included, so it may be 2026-12"),
            ("2026-12", "2026-12", "so it may be 2027-01"),
            ("2026-11-30", "2026-11-30", "so it may be 2026-12-01"),
            ("2026-12", "2026-11", "reversed"), ("1d", "7d", "reversed"), ("today", "yesterday", "reversed"),
        ]
    )
    func sayHowARangeEnds(from: String, to: String, part: String) throws {
        let error = #expect(throws: ReportError.self) { try Asking.request("channels", ["from": from, "to": to]) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func saysAnEmptyRangeInTheTimeZoneOfTheReport() throws {
        let error = #expect(throws: ReportError.self) {
            try Asking.request("channels", ["from": "2026-07-02", "to": "2026-07-01", "tz": "Europe/Berlin"])
        }
        let text = "it starts at 2026-07-02 00:00 and ends before 2026-07-01 00:00 (Europe/Berlin)"
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }
}
