import Testing
import Time

@testable import Dashboard

@Suite("The periods of a chart")
struct ChartPeriodsTests {
    /// A Wednesday.
    private let now = Timestamp(rfc3339: "2026-11-25T14:00:00Z") ?? Timestamp(microseconds: 0)

    private func span(_ from: String, _ through: String) throws -> DateSpan {
        try DateSpan(FormFields("from=\(from)&through=\(through)"), timeZone: "UTC", now: now)
    }

    @Test func keepTodayApart() throws {
        let periods = ChartPeriods(
            ["2026-11-23", "2026-11-24", "2026-11-25"],
            in: try span("2026-11-23", "2026-11-25"),
            today: "2026-11-25"
        )
        #expect(periods.states == [.whole, .whole, .open])
        #expect(periods.notes == ["Dashed, because not over yet: 2026-11-25."])
        #expect(periods.remark("2026-11-25") == "not over" && periods.remark("2026-11-24") == nil)
    }

    /// 200 days of weeks, from a Sunday: the first week lies in them with one day, the last is not over.
    @Test func keepWeeksApartThatLieInTheDaysOnlyPartly() throws {
        let span = try span("2026-05-10", "2026-11-25")
        #expect(span.period == "week")
        let periods = ChartPeriods(["2026-05-04", "2026-05-11", "2026-11-23"], in: span, today: "2026-11-25")
        #expect(periods.states == [.cut, .whole, .open])
        #expect(periods.notes.last == "Dashed, because only partly in these days: the week from 2026-05-04.")
    }

    /// Of cohorts, whose length is chosen: 30 days may be shown by week.
    @Test func sayWhichCohortsStillGrow() throws {
        let periods = ChartPeriods(
            ["2026-10-26", "2026-11-02", "2026-11-23"],
            of: "week",
            in: try span("2026-10-27", "2026-11-25"),
            today: "2026-11-25"
        )
        #expect(periods.states == [.cut, .whole, .open])
        #expect(
            periods.cohortNotes.dropFirst() == [
                "Still growing, because not over yet: the week from 2026-11-23.",
                "Not all of its people, because only partly in these days: the week from 2026-10-26.",
            ]
        )
    }

    @Test func endBeforeTheFuture() throws {
        let periods = ChartPeriods(
            ["2026-11-25", "2026-11-26"],
            in: try span("2026-11-25", "2026-11-26"),
            today: "2026-11-25"
        )
        #expect(periods.starts == ["2026-11-25"])
        #expect(periods.remark("2026-11-26") == "to come")
    }

    /// Parts follow one another without a gap, and only whole periods are drawn whole.
    @Test(
        arguments: [
            ([], []), ([.whole], ["whole 0...0"]), ([.open], ["apart 0...0"]), ([.whole, .open], ["apart 0...1"]),
            ([.cut, .whole, .whole, .open], ["apart 0...1", "whole 1...2", "apart 2...3"]),
            ([.whole, .whole, .whole], ["whole 0...2"]),
        ] as [([ChartPeriods.State], [String])]
    )
    func areDrawnInParts(states: [ChartPeriods.State], parts: [String]) {
        let drawn = PeriodChart.stretches(states).map { "\($0.isWhole ? "whole" : "apart") \($0.positions)" }
        #expect(drawn == parts)
    }

    @Test func showTheRangeBeforeAsAThinLine() throws {
        let periods = ChartPeriods(
            ["2026-11-24", "2026-11-25"],
            in: try span("2026-11-24", "2026-11-25"),
            today: "2026-11-25"
        )
        let drawing = PeriodChart.drawing(
            periods,
            series: [.init(name: "Touches", cssClass: "series-0", values: [5, 1], previous: [4, 6])]
        )
        #expect(drawing.contains("class=\"line previous\""))
        #expect(drawing.contains("class=\"line series-0 dashed\""))
        #expect(!drawing.contains("class=\"line series-0\""))
        #expect(drawing.contains("2026-11-25, not over: 1 touches; before: 6"))
        #expect(drawing.contains("Touches: 6 in all, before: 10 in all"))
    }
}
