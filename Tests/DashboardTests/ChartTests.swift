import Reporting
import Testing

@testable import Dashboard

@Suite("Charts")
struct ChartTests {
    @Test(arguments: [0.1, 0.5, 1, 3, 7, 9.99, 10, 11, 99, 100, 101, 4321, 1e6, 123_456_789])
    func axesEndJustAboveTheLargestValue(largest: Double) {
        let axis = Axis(largest: largest)
        #expect(axis.top >= largest)
        #expect(axis.top <= largest * 2.5)
        #expect((2...6).contains(axis.ticks.count))
        #expect(axis.ticks.first == 0 && axis.ticks.last == axis.top)
    }

    @Test func axesOfNothingEndAtOne() {
        for largest in [0, -1, .nan, .infinity] { #expect(Axis(largest: largest).top == 1) }
    }

    /// Five people of five are no more than four hundred of a thousand.
    @Test func aRateOfFewPeopleHasNoShade() {
        let cells = [29.0, 30].map { HeatMap.Cell(text: "100 %", part: 1, hint: "", of: $0) }
        #expect(cells.map(\.cssClass) == ["heat-few", "heat-10"])
        func note(_ cell: HeatMap.Cell) -> String? {
            HeatMap(event: "week", periods: [], rows: [.init("a", people: 1, cells: [cell])], caption: "").note
        }
        #expect(note(cells[0]) != nil && note(cells[1]) == nil)
    }

    /// Names come from events, so they may contain any text.
    @Test func namesCannotLeaveTheirPlace() {
        let name = "<script>alert('x')</script>\"&\u{0}"
        let step = FunnelChart.Step(name: name, people: 3, rate: 1, interval: (0.4, 1), open: 0, medianSeconds: nil)
        let drawing = FunnelChart.drawing([step], title: name)
        #expect(!drawing.contains("<script"))
        #expect(!drawing.contains("\u{0}"))
        #expect(drawing.contains("&lt;script&gt;"))
        // A name cannot end its attribute either.
        #expect(drawing.ranges(of: "aria-label=\"").count == 1)
    }

    @Test func funnelsTellWhatWasLost() {
        let drawing = FunnelChart.drawing(
            [
                .init(name: "tap", people: 200, rate: 1, interval: nil, open: 0, medianSeconds: nil),
                .init(name: "install", people: 50, rate: 0.25, interval: (0.2, 0.3), open: 12, medianSeconds: 90),
            ],
            title: "Install funnel"
        )
        // Of the 150 who did not come, 12 still can, and are not lost.
        let note = "69.0 % lost · 6.0 % still can · median 90 s"
        for text in [note, "12 can still reach it", "50 · 25.0 %", "install: 50 people, 25.0 %"] {
            #expect(drawing.contains(text), "\(text)")
        }
        #expect(drawing.contains(#"<line x1="25%" y1="79" x2="31%" y2="79" class="open"/>"#))
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (1234, "1,234"), (1_234_567.891, "1,234,567.89"), (-1234.5, "−1,234.5"), (0.004, "0"),
        (0.05, "0.05"), (999.999, "1,000"),
    ])
    func numbersAreGrouped(value: Double, text: String) {
        #expect(NumberText.grouped(value) == text)
    }

    @Test(arguments: [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (9000, "2.5 h"), (200_000, "2.3 d")])
    func durationsAreShort(seconds: Double, text: String) {
        #expect(NumberText.duration(seconds: seconds) == text)
    }

    @Test func daysOfNothingAreDrawnToo() throws {
        let span = try DateSpan(
            FormFields("from=2026-01-01&through=2026-01-01"),
            timeZone: "UTC",
            now: StoredDashboard.now
        )
        func drawing(_ days: [String], _ series: [PeriodChart.Series]) -> String {
            PeriodChart.drawing(ChartPeriods(days, in: span, today: "2026-01-02"), series: series)
        }
        #expect(drawing([], []).hasPrefix("<svg"))
        let nothing = PeriodChart.Series(name: "Touches", cssClass: "a", values: [0])
        #expect(drawing(["2026-01-01"], [nothing]).contains("Touches: 0 in all"))
    }

    @Test func intervalsSayWhatMayBeChance() {
        let drawing = IntervalChart.drawing(
            [
                .init(name: "gift − ask", difference: 0.031, interval: (0.01, 0.052), note: "more than chance"),
                .init(name: "gift − boast", difference: -0.002, interval: nil, note: "may be chance"),
            ],
            title: "Difference to gift"
        )
        for text in ["+3.1 points", "−0.2 points", "gift − boast: −0.2 points, may be chance", "no difference"] {
            #expect(drawing.contains(text), "\(text)")
        }
    }
}
