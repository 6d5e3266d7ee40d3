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
        MailPage([part], isBoard: true, head: "a\nb\n", ["Note: <i>"], nil, page: page, foot: "foot").text
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
}
