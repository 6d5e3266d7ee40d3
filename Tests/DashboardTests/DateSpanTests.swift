import Time
import Testing

@testable import Dashboard

@Suite("The days of a view")
struct DateSpanTests {
    /// 2026-03-29T22:30:00Z: in Berlin the 30th, half an hour after midnight, the day after clocks were put forward.
    private let now = Timestamp(microseconds: 1_774_823_400_000_000)

    private func span(_ query: String, _ zone: String = "Europe/Berlin") throws(DashboardFailure) -> DateSpan {
        try DateSpan(FormFields(query), timeZone: zone, now: now)
    }

    @Test func areTheLastThirtyByDefault() throws {
        let span = try span("")
        #expect([span.from, span.through, span.end] == ["2026-03-01", "2026-03-30", "2026-03-31"])
        #expect(span.dayCount == 30)
        #expect(try self.span("", "UTC").through == "2026-03-29")
    }

    @Test func areAsAskedFor() throws {
        let span = try span("from=2026-02-27&through=2026-03-01")
        #expect([span.from, span.through, span.end] == ["2026-02-27", "2026-03-01", "2026-03-02"])
        #expect(span.dayCount == 3)
        let previous = try #require(span.previous(timeZone: "Europe/Berlin", now: now))
        #expect([previous.from, previous.through, previous.end] == ["2026-02-24", "2026-02-26", "2026-02-27"])
    }

    /// Their range before would be longer than what has been of them.
    @Test(arguments: [
        ("from=2026-03-24&through=2026-12-31", "2026-03-24", "2026-03-30", 7),
        ("through=2026-04-02", "2026-03-04", "2026-03-30", 27),
        ("from=2026-03-30&through=2026-03-31", "2026-03-30", "2026-03-30", 1),
        // Nothing of them has been.
        ("from=2026-03-31&through=2026-04-02", "2026-03-31", "2026-04-02", 3),
    ])
    func endByToday(query: String, from: String, through: String, days: Int) throws {
        let span = try span(query)
        #expect([span.from, span.through] == [from, through])
        #expect(span.dayCount == days)
    }

    /// A day that is half over is compared with half a day, also over the change of clocks.
    @Test func areComparedUpToTheSameTimeOfDay() throws {
        let previous = try #require(try span("from=2026-03-24").previous(timeZone: "Europe/Berlin", now: now))
        #expect([previous.from, previous.through] == ["2026-03-17", "2026-03-23"])
        // 00:30 in Berlin, before clocks were put forward.
        #expect(Timestamp(rfc3339: previous.end) == Timestamp(rfc3339: "2026-03-23T00:30:00+01:00"))
    }

    @Test(arguments: [
        ("2026-01-01", "2026-01-07", "2025-12-25", "2025-12-31"),
        // 181 days by week: 26 weeks earlier, so that each week is compared with a week.
        ("2025-01-01", "2025-06-30", "2024-07-03", "2024-12-30"),
        // By month: 36 months earlier.
        ("2022-01-15", "2024-12-31", "2019-01-15", "2021-12-31"),
    ])
    func haveAsManyPeriodsBefore(from: String, through: String, first: String, last: String) throws {
        let before = try #require(
            try span("from=\(from)&through=\(through)").previousPeriods(timeZone: "Europe/Berlin")
        )
        #expect([before.from, before.through] == [first, last])
    }

    /// A range over the day on which clocks change has as many days as the calendar says.
    @Test func countDaysAndNotHours() throws {
        #expect(try span("from=2026-03-28&through=2026-03-30").dayCount == 3)
        #expect(try span("from=2025-10-25&through=2025-10-27").dayCount == 3)
    }

    @Test(arguments: [
        "from=2026-02-30", "from=yesterday", "through=2026-1-1", "from=2026-03-02&through=2026-03-01",
        "from=0001-01-01",
        "from=2026-01-01T00:00:00Z",
    ])
    func tellWhatIsWrong(query: String) {
        #expect(throws: DashboardFailure.self) { try span(query) }
    }

    @Test func makeChartsOfAtMostAHundredPoints() throws {
        for (through, period) in [("2023-03-10", "day"), ("2023-12-31", "week"), ("2026-01-01", "month")] {
            #expect(try span("from=2023-01-01&through=\(through)").period == period)
        }
    }

    @Test func datesAreAddedTo() {
        #expect(DateSpan.day("2026-02-27", plus: 2) == "2026-03-01")
        #expect(DateSpan.day("2024-02-28", plus: 1) == "2024-02-29")
    }
}
