@testable import Importing
import InboundLinks
import Time
import Testing

@Suite("Times in CSV files")
struct TimeFormatTests {
    private static func read(_ text: String, _ format: TimeFormat, zone: String? = nil) -> String? {
        var reader = TimeReader(format: format, zone: zone.flatMap { LocalZone($0) })
        return reader.read(Array(text.utf8)[...])?.rfc3339
    }

    @Test(
        arguments: [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
            ("2026-01-31T12:00:00.123456789+01:00", "2026-01-31T11:00:00.123456Z"),
            ("2026-01-31 12:00:00", "2026-01-31T11:00:00Z"),
            ("2026-01-31 12:00:00.5", "2026-01-31T11:00:00.500000Z"),
            ("2026-01-31 12:00:00,25", "2026-01-31T11:00:00.250000Z"),
            ("2026-01-31 12:00", "2026-01-31T11:00:00Z"),
            ("2026-07-31", "2026-07-30T22:00:00Z"),
            ("2026-01-31 12:00:00 UTC", "2026-01-31T12:00:00Z"),
            ("2026-01-31 12:00:00 +0530", "2026-01-31T06:30:00Z"),
            ("2026-01-31 12:00:00-08", "2026-01-31T20:00:00Z"),
            ("1969-07-20 21:17:40.25", "1969-07-20T20:17:40.250000Z"),
            ("2026-02-29 12:00:00", nil), ("2026-01-31 24:00:00", nil), ("2026-01-31 12:60:00", nil), ("", nil),
            ("31.01.2026", nil), ("2026-01-31 12:00:00 CET", nil), ("2026-01-31 12:00:00+25:00", nil),
            ("2026-01-31T12:00:00Zx", nil), ("now", nil), ("2026-1-31", nil),
        ] as [(String, String?)]
    )
    func mayHaveAZoneOrNone(text: String, expected: String?) {
        #expect(Self.read(text, .dateTime, zone: "Europe/Berlin") == expected)
    }

    @Test func withoutAnOffsetNeedAZone() {
        #expect(Self.read("2026-01-31 12:00:00", .dateTime) == nil)
        #expect(Self.read("2026-01-31 12:00:00Z", .dateTime) == "2026-01-31T12:00:00Z")
        #expect(Self.read("2026-01-31 12:00:00", .dateTime, zone: "+02:00") == "2026-01-31T10:00:00Z")
        #expect(Self.read("2026-01-31 12:00:00", .dateTime, zone: "-0330") == "2026-01-31T15:30:00Z")
    }

    @Test(
        arguments: [
            ("unix_seconds", "1700000000", "2023-11-14T22:13:20Z"),
            ("unix_seconds", "1700000000.123456", "2023-11-14T22:13:20.123456Z"),
            ("unix_seconds", "1700000000.1234567", "2023-11-14T22:13:20.123456Z"),
            ("unix_seconds", "-1.5", "1969-12-31T23:59:58.500000Z"),
            ("unix_seconds", "0", "1970-01-01T00:00:00Z"),
            ("unix_milliseconds", "1700000000123", "2023-11-14T22:13:20.123000Z"),
            ("unix_milliseconds", "1700000000123.4", "2023-11-14T22:13:20.123400Z"),
            ("unix_microseconds", "1700000000123456", "2023-11-14T22:13:20.123456Z"),
            ("unix_seconds", "1.7e9", nil), ("unix_seconds", "", nil), ("unix_seconds", "1.", nil),
            ("unix_seconds", "1700000000123456789", nil), ("unix_seconds", " 1", nil), ("unix_seconds", ".5", nil),
            ("unix_milliseconds", "999999999999999999", nil),
        ] as [(String, String, String?)]
    )
    func areCountedSince1970(format: String, text: String, expected: String?) throws {
        let format = try #require(TimeFormat.names.first { $0.name == format }?.format)
        #expect(Self.read(text, format) == expected)
    }

    @Test(
        arguments: [
            ("%Y-%m-%d %H:%M:%S", "2026-03-01 04:05:06", "2026-03-01T04:05:06Z"),
            ("%d.%m.%Y %H:%M", "1.3.2026 4:05", "2026-03-01T04:05:00Z"),
            ("%m/%d/%Y %I:%M:%S %p", "11/19/2016 8:32:12 PM", "2016-11-19T20:32:12Z"),
            ("%m/%d/%Y %I:%M %p", "11/19/2016 12:05 am", "2016-11-19T00:05:00Z"),
            ("%m/%d/%Y %I:%M %p", "11/19/2016 12:05 pm", "2016-11-19T12:05:00Z"),
            ("%d/%b/%Y:%H:%M:%S %z", "05/Mar/2026:10:00:00 +0200", "2026-03-05T08:00:00Z"),
            ("%a, %d %B %y %H:%M:%S %Z", "Thu, 05 March 26 10:00:00 GMT", "2026-03-05T10:00:00Z"),
            ("%Y%m%d%H%M%S.%f", "20260305101112.5", "2026-03-05T10:11:12.500000Z"),
            ("%d-%m-%y", "05-03-69", "1969-03-05T00:00:00Z"),
            ("100%% %Y-%m-%d", "100% 2026-03-05", "2026-03-05T00:00:00Z"),
            ("%Y-%m-%d %H:%M:%S", "2026-03-01T04:05:06", nil), ("%Y-%m-%d", "2026-02-30", nil),
            ("%Y-%m-%d", "2026-03-01 ", nil), ("%I:%M %p %d.%m.%Y", "13:00 PM 1.1.2026", nil),
            ("%b %d %Y", "Foo 1 2026", nil), ("%Y-%m-%d %H", "2026-03-01 24", nil),
        ] as [(String, String, String?)]
    )
    func mayHaveAPattern(pattern: String, text: String, expected: String?) throws {
        let pattern = try #require(TimePattern(pattern))
        #expect(Self.read(text, .pattern(pattern), zone: "UTC") == expected)
    }

    @Test(arguments: ["%Y-%m", "%q", "%Y-%m-%d %", "%H:%M", "%Y-%m-%d %I:%M", "%Y-%m-%d %p"])
    func needPatternsOfWholeDates(pattern: String) {
        #expect(TimePattern(pattern) == nil)
    }

    /// Clocks in Berlin: 2026-03-29 from 2 to 3 o'clock, 2026-10-25 from 3 back to 2.
    @Test(
        arguments: [
            ("2026-03-29 01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29 02:30:00", "2026-03-29T01:30:00Z"),
            ("2026-03-29 03:00:00", "2026-03-29T01:00:00Z"), ("2026-10-25 01:59:59", "2026-10-24T23:59:59Z"),
            ("2026-10-25 02:30:00", "2026-10-25T00:30:00Z"), ("2026-10-25 03:00:00", "2026-10-25T02:00:00Z"),
        ]
    )
    func areRightWhenClocksChange(local: String, expected: String) {
        #expect(Self.read(local, .dateTime, zone: "Europe/Berlin") == expected)
    }

    /// Every hour of some years in zones with unusual rules, compared with `TimeZone`.
    @Test(arguments: ["America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca"])
    func agreeWithTheZone(name: String) throws {
        var zone = try #require(LocalZone(name))
        for hour in stride(from: 1_290_000_000, to: 1_330_000_000, by: 3_571) {
            let local = Timestamp(microseconds: Int64(hour) * 1_000_000)
            let instant = zone.instant(at: local)
            // The way back gives the same time, unless the clocks skipped it.
            let offset = local.microseconds - instant.microseconds
            #expect(abs(offset) <= 14 * 3_600_000_000)
            let again = zone.instant(at: instant.advanced(by: .microseconds(offset)))
            #expect(again == instant)
        }
    }

    @Test(arguments: ["CET", "Berlin", "", "europe", "UTC+1", "+2", "+99:00"])
    func haveNoMadeUpZones(name: String) {
        #expect(LocalZone(name) == nil)
    }
}
