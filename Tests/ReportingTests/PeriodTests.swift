import Events
import RandomTesting
@testable import Reporting
import Testing
import Time
import InboundLinks
@testable import Timelines

@Suite("Periods")
struct PeriodTests {
    private typealias E = OracleEvents

    private func request(_ name: String, _ parameters: [(String, String)]) throws(ReportError) -> ReportRequest {
        try ReportRequest.parse(
            name: name,
            parameters: parameters.map { (name: $0.0, value: $0.1) },
            origin: .http,
            app: Asking.app(),
            // All periods are over.
            now: E.time(1_000 * E.day)
        )
    }

    /// One touch in each half hour, so a period's count is twice its length in hours.
    private func halfHours(from: String, to: String, zone: String, by length: String) throws -> [String] {
        let asked = try request("channels", [("from", from), ("to", to), ("tz", zone), ("by", length)])
        var events: [Event] = []
        var time = asked.range.from.advanced(by: .days(-1))
        while time < asked.range.to.advanced(by: .days(1)) {
            var event = E.event(UInt64(events.count), at: 0, .linkClick(E.touch(.search)))
            event.occurredAt = time
            events.append(event)
            time = time.advanced(by: .seconds(1800))
        }
        return try Asking.rows(asked, of: events).filter { $0[1] == "search" }.map { "\($0[0]) \($0[2])" }
    }

    @Test(
        arguments: [
            // Clocks are put forward on a Sunday morning, and back.
            ("2026-03-28", "2026-03-31", "Europe/Berlin", "day", ["2026-03-28 48", "2026-03-29 46", "2026-03-30 48"]),
            ("2026-10-24", "2026-10-27", "Europe/Berlin", "day", ["2026-10-24 48", "2026-10-25 50", "2026-10-26 48"]),
            ("2026-03-08", "2026-03-09", "America/New_York", "day", ["2026-03-08 46"]),
            // By half an hour.
            (
                "2026-04-04", "2026-04-07", "Australia/Lord_Howe", "day",
                ["2026-04-04 48", "2026-04-05 49", "2026-04-06 48"]
            ),
            // At midnight: the day begins at 01:00, or its first hour comes twice, or the last hour of the day before.
            (
                "2018-11-03", "2018-11-06", "America/Sao_Paulo", "day",
                ["2018-11-03 48", "2018-11-04 46", "2018-11-05 48"]
            ),
            ("2023-11-04", "2023-11-07", "America/Havana", "day", ["2023-11-04 48", "2023-11-05 50", "2023-11-06 48"]),
            (
                "2018-02-16", "2018-02-19", "America/Sao_Paulo", "day",
                ["2018-02-16 48", "2018-02-17 50", "2018-02-18 48"]
            ),
            // An island skipped a day when it changed sides of the date line.
            ("2011-12-28", "2012-01-01", "Pacific/Apia", "day", ["2011-12-28 48", "2011-12-29 48", "2011-12-31 48"]),
            // ISO weeks, also over the end of a year; and a range that begins and ends within a week.
            ("2026-10-19", "2026-11-02", "Europe/Berlin", "week", ["2026-10-19 338", "2026-10-26 336"]),
            ("2026-12-30", "2027-01-05", "UTC", "week", ["2026-12-28 240", "2027-01-04 48"]),
            ("2024-01-31", "2024-03-02", "UTC", "month", ["2024-01-01 48", "2024-02-01 1392", "2024-03-01 48"]),
            ("2026-10-01", "2026-12-01", "America/New_York", "month", ["2026-10-01 1488", "2026-11-01 1442"]),
        ] as [(String, String, String, String, [String])]
    )
    func haveTheHoursOfTheirZone(from: String, to: String, zone: String, length: String, expected: [String]) throws {
        let counts = try halfHours(from: from, to: to, zone: zone, by: length)
        #expect(counts == expected)
    }

    @Test func areAllThereWithAllTheirRows() throws {
        let touch = E.event(1, at: 1, user: "u", .inboundLink(E.touch(.search, refs: ["gift"])))
        let install = E.event(2, at: 2 * E.day, user: "u", E.install)
        let range = [("from", "2026-01-05"), ("to", "2026-01-08")]
        let channels = try Asking.rows(try request("channels", range + [("by", "day")]), of: [install, touch])
        #expect(channels.count == 27)
        #expect(channels.map { $0[0] } == ["05", "06", "07"].flatMap { Array(repeating: "2026-01-\($0)", count: 9) })
        #expect(channels[0] == ["2026-01-05", "search", "1", "1", "0", "0", "0", "0", "true"])
        #expect(channels[18] == ["2026-01-07", "search", "0", "0", "0", "1", "0", "0", "true"])

        let refs = try Asking.rows(try request("refs", range + [("by", "day")]), of: [touch, install])
        #expect(
            refs.map { "\($0[0].suffix(2)) \($0[1]) \($0[8]) \($0[11])" } == [
                "05 gift 1 0", "05 (none) 0 0", "05 direct 0 0", "05 total 1 0", "06 (none) 0 0", "06 direct 0 0",
                "06 total 0 0", "07 gift 0 1", "07 (none) 0 0", "07 direct 0 0", "07 total 0 1",
            ]
        )
        let posts = try Asking.rows(try request("posts", range + [("by", "day")]), of: [])
        #expect(posts.map { $0[0] } == ["2026-01-05", "2026-01-06", "2026-01-07"])
        #expect(posts.allSatisfy { Array($0.dropFirst()) == ["total", "", "0", "0", "0", "0", "", "0", "true"] })
    }

    /// All counts but those of distinct people.
    @Test(
        arguments: [
            ("channels", [1, 3, 4, 5, 6]), ("refs", [1, 2, 3, 4, 7, 9, 10, 11, 12]), ("posts", [2, 3, 4, 5]),
        ] as [(String, [Int])]
    )
    func addUpToTheWhole(report: String, additive: [Int]) throws {
        for seed in TestSeeds.seeds(25) {
            let stream = RandomStream.make(seed: seed)
            let events = MemoryEvents(stream.events)
            let range = OracleQuestion.range(Oracle.Span(from: stream.from.advanced(by: .days(-90)), to: stream.to))
            func total(_ more: [(String, String)]) throws -> [Int: Double] {
                let asked = try request(report, range.map { ($0.name, $0.value) } + more)
                let offset = more.isEmpty ? 0 : 1
                var sums: [Int: Double] = [:]
                for row in try Asking.rows(asked, of: events) where row[offset] == "total" {
                    for column in additive { sums[column, default: 0] += Double(row[column + offset]) ?? .nan }
                }
                return sums
            }
            let whole = try total([])
            for length in ["day", "week", "month"] {
                let sums = try total([("by", length), ("tz", "America/New_York")])
                for column in additive {
                    #expect(abs(sums[column, default: 0] - whole[column, default: 0]) < 1e-6, "\(seed) \(length)")
                }
            }
        }
    }

    @Test func areNotTooMany() throws {
        _ = try request("channels", [("from", "2020-08-01"), ("to", "2026-01-01"), ("by", "day")])
        #expect(throws: ReportError.self) {
            _ = try request("channels", [("from", "2020-07-01"), ("to", "2026-01-01"), ("by", "day")])
        }
        _ = try request("channels", [("from", "1900-01-01"), ("to", "2026-01-01"), ("by", "month")])
    }

    /// Weeks and months begin when their first day does, in any time zone and year.
    @Test(
        arguments: TestSeeds.share(
            of: ["Europe/Berlin", "America/Havana", "Asia/Gaza", "Pacific/Apia", "America/St_Johns", "Africa/Cairo"],
            2
        )
    )
    func holdEveryInstantOnce(zone: String) throws {
        for length in ["day", "week", "month"] {
            let asked = try request(
                "channels",
                [("from", "2007-01-01"), ("to", "2012-01-01"), ("tz", zone), ("by", length)]
            )
            let run = ReportRun(
                range: asked.range,
                zone: asked.zone,
                now: asked.now,
                currency: "USD",
                dictionary: TimelineDictionary()
            )
            let periods = ReportPeriods(CalendarPeriod(rawValue: length), run)
            var last = 0
            var time = asked.range.from
            while time < asked.range.to {
                let found = periods.position(of: time)
                // Expectations cost more than what they look at, here a hundred thousand times.
                guard let position = found, position == last || position == last + 1 else {
                    Issue.record("\(length) of \(time): \(String(describing: found)) after \(last)")
                    return
                }
                last = position
                time = time.advanced(by: .seconds(1200))
            }
            #expect(last == periods.count - 1)
            #expect(periods.position(of: asked.range.to) == nil)
            #expect(periods.position(of: asked.range.from.advanced(by: .microseconds(-1))) == nil)
        }
    }
}
