import Foundation
import Storage
import Testing
import Time

@testable import Reporting

@Suite("Answers in chats")
struct ChatTextTests {
    private static func result(_ names: [String], columns: Int, total: Int64?) throws -> ReportResult {
        let request = try ReportRequest.parse(
            name: "refs",
            parameters: [(name: "from", value: "2026-11-16"), (name: "to", value: "2026-11-23")],
            origin: .http,
            app: App(number: 1, profile: AppProfile(id: "shop", name: "Shop")),
            now: try #require(Timestamp(rfc3339: "2026-11-25T08:00:00Z"))
        )
        let figures = (1...columns).map { ReportColumn.integer("figure_\($0)", unit: "people", "A figure.") }
        func row(_ name: String, _ number: Int64) -> [ReportCell] {
            [.text(name)] + (1...columns).map { _ in .integer(number) }
        }
        return ReportResult(
            request: request,
            table: ReportTable(
                columns: [.text("ref", "A ref.")] + figures,
                rows: names.map { row($0, 7) } + [total.map { row("total", $0) }].compactMap(\.self)
            )
        )
    }

    private static let foot = "\n-- \nTo end it:\ntributary question unschedule weekly --app shop\n"

    private static func text(
        _ result: ReportResult,
        before earlier: ReportResult? = nil,
        remarks: [String] = []
    ) throws -> String {
        let json = ChatText(result, before: earlier, remarks: remarks, last: "Last event: today", foot: foot)
            .json("weekly · Shop")
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(object?["text"] as? String)
    }

    @Test func beginWithTheTotalAndTheChange() throws {
        let text = try Self.text(
            Self.result(["newsletter"], columns: 2, total: 120),
            before: Self.result([], columns: 2, total: 100),
            remarks: ["Warning: <b>"]
        )
        #expect(
            text == """
                *weekly · Shop*
                ```
                total: figure_1 120 (+20.0 %), figure_2 120 (+20.0 %)

                Warning: &lt;b&gt;
                Last event: today

                -- 
                To end it:
                tributary question unschedule weekly --app shop

                ref         figure_1  figure_2
                ──────────  ────────  ────────
                newsletter         7         7
                ```
                """
        )
    }

    /// A note or a name in a warning must not turn around what stands beside it.
    @Test func areNotTurnedAround() throws {
        let turning = "Warning: \u{202E}a\u{2066}"
        let text = try Self.text(Self.result(["a"], columns: 1, total: 1), remarks: [turning])
        #expect(text.contains(#"Warning: \u202ea\u2066"#))
        let json = ChatText([turning], remarks: [], last: nil, foot: Self.foot).json("q · \u{202E}Shop")
        for scalar in (text + json).unicodeScalars { #expect(scalar != "\u{202E}" && scalar != "\u{2066}") }
    }

    /// Long names, many rows and columns, many warnings: what matters is there, and each line can be read.
    @Test(arguments: [(1, 14, 256), (500, 14, 256), (2, 1, 20), (500, 30, 5)])
    func cutNamesAndRowsAndNeverTheEnd(rows: Int, columns: Int, length: Int) throws {
        let names = (0..<rows).map { "\($0) " + String(repeating: "x", count: length) }
        let remarks = (0..<100).map { "Warning: \($0) " + String(repeating: "y", count: 500) }
        let text = try Self.text(Self.result(names, columns: columns, total: 9), remarks: remarks)
        #expect(text.count < ChatText.limit + 100)
        for part in [
            "total: figure_1 9", "Warning: 0 ", "… 96 more", "Last event: today", "unschedule weekly --app shop",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.hasSuffix("\n```"))
        let table = text.components(separatedBy: "--app shop\n")[1]
        #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(table.contains(rows == 2 ? "1 xx" : "more rows") || rows == 1)
    }

    @Test func haveNoTotalWhereEachPartHasOne() throws {
        #expect(try Self.text(Self.result(["total", "a"], columns: 1, total: 2)).contains("total: ") == false)
        #expect(try Self.text(Self.result(["a"], columns: 1, total: nil)).contains("total: ") == false)
    }
}
