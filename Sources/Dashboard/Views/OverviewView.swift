import Reporting
import Storage

/// Touches, people, installs and conversions: in total, by period, by channel and by ref.
struct OverviewView {
    struct Card {
        var name: String
        var value: String
        /// The change against the same number of days before, or a note on the value; empty if there is nothing to
        /// compare.
        var change: String
        var direction: String
        var meaning: String
    }

    var cards: [Card]
    var chart: String
    var days: TableView
    var period: String
    var channels: TableView
    var refs: TableView
    var hasTouches: Bool

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let period = request.span.period
        let byPeriod: [(name: String, value: String)] = [("by", period)]
        let channels = try await request.figures("channels")
        let refs = try await request.figures("refs")
        let days = try await request.figures("channels", byPeriod)
        var before: ReportRows?
        if let previous = request.span.previous(timeZone: request.app.profile.timeZone) {
            before = try await request.figures("channels", of: previous)
        }
        cards = Self.cards(channels: channels, before: before, refs: refs, currency: request.app.profile.currency)
        hasTouches = (channels.total(named: "channel")?.number("touches") ?? 0) > 0
        self.period = period

        let totals = days.rows.filter { $0.text("channel") == "total" }
        chart = DayChart.drawing(
            days: totals.map { $0.text("period") },
            series: [
                .init(name: "Touches", cssClass: "series-0", values: totals.map { $0.number("touches") }),
                .init(name: "Installs", cssClass: "series-1", values: totals.map { $0.number("installs") }),
                .init(name: "Conversions", cssClass: "series-2", values: totals.map { $0.number("conversions") }),
            ]
        )
        self.days = TableView(
            ReportRows(columns: days.columns, rows: totals.map(\.cells)).without("channel"),
            caption: "Total by \(period)",
            csv: request.csv("channels", byPeriod)
        )
        self.channels = TableView(channels, caption: "Channels", csv: request.csv("channels"), meter: "touches")
        self.refs = TableView(refs, caption: "Refs", csv: request.csv("refs"), meter: "posts")
    }

    private static func cards(channels: ReportRows, before: ReportRows?, refs: ReportRows, currency: String) -> [Card] {
        let total = channels.total(named: "channel")
        let old = before?.total(named: "channel")
        func card(_ name: String, _ column: String, _ meaning: String) -> Card {
            let value = total?.number(column) ?? 0
            let change = old.map { value - $0.number(column) } ?? 0
            let base = old?.number(column) ?? 0
            return Card(
                name: name,
                // From a thousand on, cents do not matter.
                value: NumberText.grouped(value, decimals: value < 1000 ? 2 : 0),
                change: base > 0 ? (change >= 0 ? "+" : "") + NumberText.percent(change / base) : "",
                direction: change > 0 ? "up" : change < 0 ? "down" : "same",
                meaning: meaning
            )
        }
        let posts = refs.total(named: "ref")
        let rate = posts?["post_rate"].number.map { NumberText.percent($0) } ?? "–"
        let coefficient = posts?["installs_per_poster"].number.map { NumberText.grouped($0) } ?? "–"
        return [
            card("Touches", "touches", "Taps and opens that a link brought"),
            card("People", "people", "Distinct people of these touches"),
            card("Installs", "installs", "First installs in these days"),
            card("Conversions", "conversions", "Goals reached in these days"),
            card("Value, \(currency)", "value", "Of these conversions"),
            Card(
                name: "Post rate",
                value: rate,
                change: "\(NumberText.grouped(posts?.number("posts") ?? 0)) posts",
                direction: "same",
                meaning: "Posted, of those who decided"
            ),
            Card(
                name: "K",
                value: coefficient,
                change: "installs per poster",
                direction: "same",
                meaning: "Installs for each person who posted"
            ),
        ]
    }
}

extension ReportRows {
    /// The same rows without a column.
    func without(_ column: String) -> ReportRows {
        guard let position = columns.firstIndex(where: { $0.name == column }) else { return self }
        func dropped<Element>(_ elements: [Element]) -> [Element] {
            Array(elements[..<position] + elements[(position + 1)...])
        }
        return ReportRows(columns: dropped(columns), rows: rows.map { dropped($0.cells) })
    }
}
