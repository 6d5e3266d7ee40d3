import Storage
import Testing
import Time

@testable import Reporting

@Suite("Answers as HTML")
struct MailPageTests {
    private static func result(_ names: [String], total: Int64) throws -> ReportResult {
        let request = try ReportRequest.parse(
            name: "refs",
            parameters: [(name: "from", value: "2026-11-16"), (name: "to", value: "2026-11-23")],
            origin: .http,
            app: App(number: 1, profile: AppProfile(id: "shop", name: "Shop")),
            now: try #require(Timestamp(rfc3339: "2026-11-25T08:00:00Z"))
        )
        let rows = names.enumerated().map { [ReportCell.text($0.element), .integer(Int64(4 - $0.offset))] }
        return ReportResult(
            request: request,
            table: ReportTable(
                columns: [.text("ref", "A ref."), .integer("touches", unit: "touches", "Touches.")],
                rows: rows + [[.text("total"), .integer(total)]]
            )
        )
    }

    private static func html(_ part: AnsweredPart, page: String? = nil) -> String {
        MailPage(
            [part],
            isBoard: true,
            head: "a\nb\n",
            ["Note: <i>"],
            nil,
            page: page.map(SentAnswer.Page.dashboard),
            foot: "foot"
        ).text
    }

    /// The total would be the longest bar.
    @Test func drawBarsAndTheChange() throws {
        let result = try Self.result(["a", "b"], total: 120)
        let html = Self.html(.init(name: "q", result: result, earlier: try Self.result([], total: 100)))
        #expect(html.contains("<b>total: touches 120 (+20.0 %)</b>"))
        let widths = html.matches(of: /<td width="(\d+)%" bgcolor/).map { String($0.1) }
        #expect(widths == ["100", "75"])
    }

    @Test func escapeWhatOthersWrote() throws {
        let evil = "<script>\"&'"
        let part = AnsweredPart(name: "q", result: try Self.result([evil], total: 1))
        let html = Self.html(part, page: "https://stats.example.com/?\"<")
        #expect(html.contains("&lt;script&gt;&quot;&amp;&#39;") && html.contains("Note: &lt;i&gt;"))
        #expect(!html.contains("<script>") && html.contains("href=\"https://stats.example.com/?&quot;&lt;\""))
        #expect(Self.html(.init(name: evil, failure: evil)).matches(of: /<script/).isEmpty)
    }

    @Test func haveTheFirstRowsAndTheTotal() throws {
        let html = Self.html(.init(name: "q", result: try Self.result((1...50).map { "r\($0)" }, total: 9)))
        #expect(html.contains("<p>32 of 51 rows.</p>") && html.contains(">r31<") && !html.contains(">r32<"))
        #expect(html.contains(">total<"))
    }

    private static func byDay(_ others: [(name: String, value: String)]) throws -> ReportRequest {
        var profile = AppProfile(id: "shop", name: "Shop")
        profile.currency = "EUR"
        return try ReportRequest.parse(
            name: "channels",
            parameters: [
                (name: "from", value: "2026-11-23"), (name: "to", value: "2026-11-26"), (name: "by", value: "day"),
            ] + others,
            origin: .http,
            app: App(number: 1, profile: profile),
            now: try #require(Timestamp(rfc3339: "2026-11-25T08:00:00Z"))
        )
    }

    /// A row whose figures are the positions of their columns.
    private static func row(_ names: [String: ReportCell], of columns: [ReportColumn]) -> [ReportCell] {
        columns.enumerated().map { names[$0.element.name] ?? .integer(Int64(1_000 + $0.offset)) }
    }

    /// The texts of the headings, and of the cells of all rows without their bars.
    private static func cells(of html: String) -> (heads: [String], cells: [String]) {
        (
            html.matches(of: /<th align="[a-z]+">([^<]*)</).map { String($0.1) },
            html.matches(of: /<td align="[a-z]+">([^<]*)</).map { String($0.1) }
        )
    }

    @Test func haveEachFigureUnderItsHeading() throws {
        let request = try Self.byDay([(name: "columns", value: "complete,period,channel,touches,people")])
        let columns = request.columns + [.complete]
        let row = Self.row(
            ["period": .text("2026-11-25"), "channel": .text("search"), "complete": .flag(false)],
            of: columns
        )
        let result = ReportResult(request: request, table: ReportTable(columns: columns, rows: [row]))
        let html = Self.html(.init(name: "q", result: result))
        let (heads, cells) = Self.cells(of: html)
        #expect(heads == ["period", "channel", "touches", "people"])
        let figures = ["touches", "people"].map { name in
            columns.firstIndex { $0.name == name }.map { "\(1_000 + $0)" }
        }
        #expect(cells == ["2026-11-25*", "search"] + figures.compactMap(\.self))
        #expect(html.contains(ReportColumn.incompleteNote) && !html.contains("columns; all are"))
    }

    @Test func haveTheColumnsThatSayMost() throws {
        var columns: [ReportColumn] = [.text("ref", "A ref.")]
        columns += (1...10).map { ReportColumn.integer("n\($0)", unit: "events", "A number.") }
        columns += [.touchPeople, .creditedInstalls, .creditedConversions, .creditedValue]
        let long = String(repeating: "r", count: 250) + "end"
        let row = Self.row(["ref": .text(long), "n1": .integer(0)], of: columns)
        let result = ReportResult(request: try Self.byDay([]), table: ReportTable(columns: columns, rows: [row]))
        let html = Self.html(.init(name: "q", result: result))
        let (heads, cells) = Self.cells(of: html)
        #expect(heads == ["ref", "n1", "n2", "n3", "people", "installs", "conversions", "value (EUR)"])
        #expect(cells.first?.count == 40 && cells.first?.hasSuffix("rend") == true)
        #expect(html.contains("<p>8 of 15 columns; all are in the CSV.</p>"))
    }
}
