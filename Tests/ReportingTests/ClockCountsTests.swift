@testable import Reporting
import Testing
@testable import Timelines

/// How many hours and days of each name a range has. The oracle checks the same for random ranges.
@Suite("Hours and days of a range")
struct ClockCountsTests {
    private func cell(from: String, to: String, zone: String, weekday: Int?, hour: Int?) throws -> String? {
        let request = try Asking.request("breakdown", ["from": from, "to": to, "tz": zone])
        let counts = ClockCounts(request.run(dictionary: TimelineDictionary()))
        let millionths = counts.millionths(weekday: weekday, hour: hour, countsHours: hour != nil)
        return ReportCell.decimal(millionths: millionths).plainText
    }

    @Test(
        arguments: [
            // Clocks skip an hour, show one twice, or half of one twice.
            ("2026-03-01", "2026-04-01", "Europe/Berlin", nil, 2, "30"),
            ("2026-03-01", "2026-04-01", "Europe/Berlin", nil, 3, "31"),
            ("2026-10-01", "2026-11-01", "Europe/Berlin", nil, 2, "32"),
            ("2026-10-01", "2026-11-01", "Europe/Berlin", 6, 2, "5"),
            ("2026-04-01", "2026-05-01", "Australia/Lord_Howe", nil, 1, "30.5"),
            // Sundays count once, however long they are.
            ("2026-10-01", "2026-11-01", "Europe/Berlin", 6, nil, "4"),
            ("2026-10-01", "2026-11-01", "Europe/Berlin", 3, nil, "5"),
            ("2026-10-01", "2026-11-01", "Europe/Berlin", nil, nil, "31"),
            // A Friday that an island skipped.
            ("2011-12-26", "2012-01-02", "Pacific/Apia", 4, nil, "0"),
            ("2011-12-26", "2012-01-02", "Pacific/Apia", nil, nil, "6"),
            // Half a day, and a quarter of an hour.
            ("2026-01-05T12:00:00Z", "2026-01-12T06:00:00Z", "UTC", 0, nil, "0.75"),
            ("2026-01-05T12:00:00Z", "2026-01-12T06:15:00Z", "UTC", nil, 6, "6.25"),
            ("2026-01-05T12:00:00Z", "2026-01-05T12:00:00.000001Z", "UTC", 0, nil, "0"),
        ] as [(String, String, String, Int?, Int?, String)]
    )
    func areThoseThatClocksShow(
        from: String,
        to: String,
        zone: String,
        weekday: Int?,
        hour: Int?,
        expected: String
    ) throws {
        #expect(try cell(from: from, to: to, zone: zone, weekday: weekday, hour: hour) == expected)
    }
}
