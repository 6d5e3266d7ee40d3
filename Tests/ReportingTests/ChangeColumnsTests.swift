@testable import Reporting
import Testing

@Suite("Changes since the preceding range")
struct ChangeColumnsTests {
    private static let rate = ReportColumn.rate("rate", "")

    /// It would have the sign of the opposite.
    @Test func haveNoShareOfWhatIsNotAboveZero() {
        let value = ReportColumn.decimal("value", unit: "EUR", "")
        func cells(_ now: Int128, _ then: Int128) -> [ReportCell] {
            ChangeColumns.cells(of: value, .decimal(millionths: now), since: .decimal(millionths: then))
        }
        #expect(cells(-33_000_000, -50_000_000) == [.decimal(millionths: 17_000_000), .empty])
        #expect(cells(12_000_000, 0) == [.decimal(millionths: 12_000_000), .empty])
        #expect(cells(15_000_000, 12_000_000) == [.decimal(millionths: 3_000_000), .fraction(millionths: 250_000)])
    }

    @Test func ofRatesArePointsAndTheirShareIsAPercentage() {
        let columns = ChangeColumns.columns(of: Self.rate)
        #expect(columns.map(\.name) == ["change_rate", "change_share_rate"])
        #expect(TextTableWriter.shown(.fraction(millionths: -16_600), of: columns[0]) == "-1.66 points")
        #expect(TextTableWriter.shown(.fraction(millionths: -116_500), of: columns[1]) == "-11.65%")
    }

    @Test(arguments: ["ci_low", "difference_ci_high"]) func areNotToldOfIntervals(name: String) {
        #expect(ChangeColumns.columns(of: .rate(name, "")).isEmpty)
    }
}
