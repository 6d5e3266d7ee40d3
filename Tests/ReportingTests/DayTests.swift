import Time
@testable import Reporting
import Testing
import RandomTesting

@Suite("Days")
struct DayTests {
    @Test(arguments: ["1970-01-01", "2000-02-29", "2024-12-31", "0001-01-01", "9999-12-31"])
    func readsAndWritesADate(text: String) throws {
        #expect(try #require(CivilDate(text)).description == text)
    }

    @Test(arguments: [
        "2023-02-29", "2023-13-01", "2023-00-10", "2023-01-00", "0000-01-01", "20230101", "2023-1-1", "+023-01-01", "",
    ])
    func refusesADateThatDoesNotExist(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test(arguments: [("1970-01-01", "1969-12-29"), ("2026-01-05", "2026-01-05"), ("2026-01-11", "2026-01-05")])
    func knowsTheMondayOfAWeek(day: String, monday: String) throws {
        #expect(try #require(CivilDate(day)).monday.description == monday)
    }

    /// Remembering a day must not change the results, above all on days when clocks change.
    @Test(arguments: [
        "UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe",
    ])
    func findsTheDayThatTheZoneSays(name: String) throws {
        let zone = try #require(ReportTimeZone(name))
        var finder = DayFinder(zone: zone)
        var random = SeededRandom(seed: TestSeeds.first)
        for _ in 0..<3000 {
            // 2011 to 2018: in 2011 Apia skipped a day.
            let instant = Timestamp(
                microseconds: Int64.random(in: 1_300_000_000...1_540_000_000, using: &random) * 1_000_000
            )
            let day = zone.day(of: instant)
            #expect(finder.day(of: instant) == day)
            #expect(zone.start(of: day) <= instant)
        }
        // The first and the last day, further away than days are remembered.
        for instant in [Timestamp.spellable.lowerBound, Timestamp.spellable.upperBound] {
            #expect(finder.day(of: instant) == zone.day(of: instant))
        }
    }
}
