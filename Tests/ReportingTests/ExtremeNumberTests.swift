@testable import Reporting
import Testing
import Time

/// A number beyond all limits is refused or answered. One that ends the program would end it for all apps.
@Suite("Numbers beyond all limits")
struct ExtremeNumberTests {
    private static let numbers = [
        "-1", "0", "1e400", "65536", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "99999999999999999999", "7,9223372036854775807",
    ]
    private static let texts =
        numbers + numbers.map { $0 + "d" } + ["9999999999d", "99999999999d", "99999999999s", "106751992d", "36500d"]

    @Test(arguments: CatalogueSample.shortest) func areAnsweredOrRefused(sample: CatalogueSample) throws {
        let events = [OracleEvents.event(1, at: 0, user: "ann", OracleEvents.install)]
        let report = ReportCatalogue.descriptions.first { $0.name == sample.report }
        for parameter in try #require(report).parameters {
            for text in Self.texts {
                var changed = sample
                changed.parameters.removeAll { $0.name == parameter.name }
                guard let request = try? changed.request(of: Asking.app(), [(parameter.name, text)]) else { continue }
                _ = try Asking.rows(request, of: events)
            }
        }
    }

    @Test(arguments: [
        (CalendarPeriod.day, 0, 0, true), (.week, 6, 1_439, true), (.month, 28, 0, true), (.week, 7, 0, false),
        (.month, 0, 0, false), (.day, -1, 0, false), (.day, 0, 1_440, false), (.week, 0, -1, false),
    ])
    func aScheduleWithoutSuchADayOrMinuteIsNone(period: CalendarPeriod, day: Int, minute: Int, isPossible: Bool) {
        #expect(SendingTimes(period: period, day: day, minute: minute).isPossible == isPossible)
    }
}
