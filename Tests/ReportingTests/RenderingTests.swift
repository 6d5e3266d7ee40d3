import JSONReading
@testable import Reporting
import RandomTesting
import Testing
import Time

@Suite("Rendering")
struct RenderingTests {
    private static let columns: [ReportColumn] = [
        .text("group", "A group."), .integer("people", unit: "people", "People."), .rate("rate", "A part."),
        .rate("ci_low", "Its lower end."), .rate("ci_high", "Its upper end."),
        .decimal("value", unit: "USD", "A value."), .ratio("per_post", unit: "touches per post", "A quotient."),
    ]

    private func result(_ rows: [[ReportCell]], columns: [ReportColumn] = columns) throws -> ReportResult {
        let request = try Asking.request(
            "channels",
            ["from": "2026-01-01", "to": "2026-01-02T12:00:30Z", "goal": "buy \"it\""],
            app: Asking.app(timeZone: "Europe/Berlin")
        )
        return ReportResult(request: request, table: ReportTable(columns: columns, rows: rows))
    }

    private static let rows: [[ReportCell]] = [
        [
            .text("gift"), .integer(1234), .fraction(1, of: 3), .fraction(millionths: 250_000), .fraction(1, of: 2),
            .decimal(millionths: 12_500_000), .fraction(7, of: 2),
        ],
        [.text("=1+1"), .integer(0), .empty, .empty, .empty, .decimal(millionths: -3_000_000), .empty],
    ]

    @Test func writesCSV() throws {
        #expect(
            try result(Self.rows).text(as: .csv)
                == "group,people,rate,ci_low,ci_high,value,per_post\r\n"
                + "gift,1234,0.333333,0.250000,0.500000,12.5,3.500000\r\n"
                + "'=1+1,0,,,,-3,\r\n"
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("cr\rhere", "\"cr\rhere\""), ("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"),
        ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("=a,b", "\"'=a,b\""), ("", ""), ("é\u{301}", "é\u{301}"),
        ("(none)", "(none)"),
        ("\r\n", "\"'\r\n\""),
        ("\n=1+1", "\"'\n=1+1\""), ("\nx", "\"'\nx\""), (" =1", "' =1"), ("\u{A0}\u{200B}=1", "'\u{A0}\u{200B}=1"),
        ("\u{FEFF}\u{202E}@x", "'\u{FEFF}\u{202E}@x"), ("\u{1}-1", "'\u{1}-1"), ("\"=1\"", "\"'\"\"=1\"\"\""),
        ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("\u{3000}＠x", "'\u{3000}＠x"), ("'=1", "''=1"),
        ("'quoted'", "'quoted'"), (" two words", " two words"), ("1=1", "1=1"), ("＃", "＃"),
    ])
    func disarmsAndQuotesText(text: String, field: String) {
        #expect(Array(CSVWriter.field(text).utf8) == Array(field.utf8))
    }

    @Test func dividesATableThatIsWiderThanTheTerminal() throws {
        var request = try result(Self.rows).request
        request.tableWidth = 36
        let table = ReportTable(columns: Self.columns, rows: Self.rows)
        let text = ReportResult(request: request, table: table).text(as: .table)
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n") == """
                group  people    rate
                ─────  ──────  ──────
                gift     1234  33.33%
                =1+1        0

                group     95% interval  value
                ─────  ───────────────  ─────
                gift   25.00% – 50.00%  12.50
                =1+1                       -3

                group  per_post
                ─────  ────────
                gift       3.50
                =1+1

                """
        )
    }

    /// What only says more of a name stands in one of the blocks.
    @Test func repeatsWhatTellsTheRowsApart() throws {
        var request = try result([]).request
        request.tableWidth = 30
        let columns: [ReportColumn] = [
            .text("post", "A post."), .time("posted_at", "When."), .text("link", "Its link."), .touches,
        ]
        let rows: [[ReportCell]] = [
            [.text("p1"), .text("2026-11-01T10:00:00Z"), .text("https://www.example.com/a/long/way"), .integer(7)],
            [.text("p2"), .text("2026-11-01T10:00:00Z"), .empty, .integer(0)],
        ]
        let text = ReportResult(request: request, table: ReportTable(columns: columns, rows: rows)).text(as: .table)
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n") == """
                post             posted_at
                ────  ────────────────────
                p1    2026-11-01T10:00:00Z
                p2    2026-11-01T10:00:00Z

                post  link
                ────  ────────────────────────
                p1    https://www.example.com…
                p2

                post  touches
                ────  ───────
                p1          7
                p2          0

                """
        )
    }

    /// A list keeps the cells of a row together.
    @Test func breaksTheLinesOfAListWithoutHeaders() {
        let rows = [
            ["https://go.example/sale", "live", "2026-11-01T10:00:00Z", "gift\u{1B}[31m"],
            ["https://go.example/a", "expired", "-", "", "https://www.example.com/a/long/way/home"],
        ]
        #expect(
            TextTable(rows: rows).text(within: nil) == """
                https://go.example/sale  live     2026-11-01T10:00:00Z  gift\\u001b[31m
                https://go.example/a     expired  -                                     https://www.example.com/a/long/way/home

                """
        )
        #expect(
            TextTable(rows: rows).text(within: 40) == """
                https://go.example/sale  live
                  2026-11-01T10:00:00Z  gift\\u001b[31m
                https://go.example/a  expired  -
                  https://www.example.com/a/long/way/home

                """
        )
        #expect(TextTable(rows: []).text(within: 10) == "")
    }

    @Test func cutsNamesThatLeaveNoRoomForFigures() throws {
        var request = try result([]).request
        request.tableWidth = 30
        let columns: [ReportColumn] = [.text("target", "A target."), .integer("people", unit: "people", "People.")]
        let rows: [[ReportCell]] = [[.text("https://www.example.com/a/long/way"), .integer(7)]]
        let text = ReportResult(request: request, table: ReportTable(columns: columns, rows: rows)).text(as: .table)
        #expect(text.hasSuffix("\nhttps://www.…       7\n"))
    }

    /// As docs/exports.md says.
    @Test func disarmsSoThatItCanBeUndone() {
        func isFormula(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { CSVWriter.isFormula($0) } }
        var random = SeededRandom(seed: TestSeeds.first)
        let characters: [Unicode.Scalar] = [
            "=", "＋", "'", "'", " ", "\t", "\n", "\u{200B}", "\u{3000}", "a", "7", "é", "-",
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                text.unicodeScalars.append(characters[Int.random(in: characters.indices, using: &random)])
            }
            // Without the quotes of RFC 4180, which every reader removes.
            var cell = CSVWriter.field(text)
            if cell.first == "\"" { cell = String(cell.dropFirst().dropLast()) }
            #expect(!isFormula(cell) || cell.hasPrefix("'"))
            if cell.unicodeScalars.first == "'", isFormula(String(cell.unicodeScalars.dropFirst())) {
                cell = String(cell.unicodeScalars.dropFirst())
            }
            #expect(Array(cell.utf8) == Array(text.utf8))
        }
    }

    @Test func writesJSON() throws {
        #expect(
            try result(Self.rows).text(as: .json) == """
                {
                  "report": "channels",
                  "app": "game",
                  "from": "2025-12-31T23:00:00Z",
                  "to": "2026-01-02T12:00:30Z",
                  "time_zone": "Europe/Berlin",
                  "currency": "USD",
                  "parameters": {"goal": "buy \\"it\\"", "lookback": "7d"},
                  "methods": [],
                  "warnings": [],
                  "columns": ["group", "people", "rate", "ci_low", "ci_high", "value", "per_post"],
                  "rows": [
                    {"group": "gift", "people": 1234, "rate": 0.333333, "ci_low": 0.250000, "ci_high": 0.500000, "value": 12.5, "per_post": 3.500000},
                    {"group": "=1+1", "people": 0, "rate": null, "ci_low": null, "ci_high": null, "value": -3, "per_post": null}
                  ]
                }

                """
        )
        #expect(try result([]).text(as: .json).hasSuffix("\"rows\": []\n}\n"))
    }

    @Test func escapesJSON() {
        #expect(JSONWriter.quoted("a\"\\\n\r\t\u{1}\u{7F}é😀") == "\"a\\\"\\\\\\n\\r\\t\\u0001\\u007fé😀\"")
    }

    @Test func alignsATableForPeople() throws {
        #expect(
            try result(Self.rows).text(as: .table) == """
                channels · game · 2026-01-01 00:00 to 2026-01-02 13:00:30 (Europe/Berlin) · goal buy "it" · lookback 7d · value in USD

                group  people    rate     95% interval  value  per_post
                ─────  ──────  ──────  ───────────────  ─────  ────────
                gift     1234  33.33%  25.00% – 50.00%  12.50      3.50
                =1+1        0                              -3

                """
        )
    }

    @Test func namesTheStatisticsOfItsColumns() throws {
        func text(_ parameters: KeyValuePairs<String, String>, as format: ReportFormat) throws -> String {
            let request = try Asking.request("compare", parameters)
            let row: [ReportCell] = [
                .text("gift"), .text("boast"), .text("install"), .integer(100), .integer(0),
                .fraction(millionths: 450_000), .integer(100), .integer(0), .fraction(millionths: 300_000),
                .fraction(millionths: 150_000),
                .fraction(millionths: 17_430), .fraction(millionths: 282_570), .probability(0.02846),
            ]
            let table = ReportTable(columns: request.report.columns, rows: [row])
            return ReportResult(request: request, table: table).text(as: format)
        }
        #expect(
            try text(["a": "gift", "b": "boast"], as: .table).hasSuffix(
                """
                15.00%  1.74% – 28.26%   0.0285

                95% interval: Newcombe hybrid score interval of the difference, 95 %
                p_value: two-proportion z-test, pooled variance, two-sided

                """
            )
        )
        #expect(
            try text(["a": "gift", "b": "boast,ask"], as: .json).contains(
                #"{"columns": ["p_value"], "method": "two-proportion z-test, pooled variance, two-sided; "#
                    + #"Holm correction over all rows"}"#
            )
        )
        let funnel = try Asking.request("funnel")
        #expect(funnel.methods.map(\.text) == ["ci_low, ci_high: Wilson score interval of rate_from_first, 95 %"])
        #expect(try Asking.request("channels").methods.isEmpty)
    }

    /// 0 would say that it cannot be chance.
    @Test(arguments: [
        (1e-12, "<0.0001"), (0.00004, "<0.0001"), (0.00005, "0.0001"), (0.02846, "0.0285"), (1, "1.0000"),
    ])
    func showsSmallPValuesToPeople(value: Double, text: String) {
        #expect(ReportCell.shortText(ofProbability: value) == text)
    }

    @Test(arguments: [ReportFormat.csv, .json]) func writesAllDigitsOfAPValue(format: ReportFormat) throws {
        let text = try result([[.probability(1e-12)]], columns: [.probability("p_value", "p.")]).text(as: format)
        #expect(text.contains(format == .csv ? "p_value\r\n1e-12\r\n" : "{\"p_value\": 1e-12}"))
    }

    @Test func namesAFile() throws {
        let request = try Asking.request(
            "refs",
            ["from": "2026-01-01", "to": "2026-02-01"],
            app: Asking.app(timeZone: "Europe/Berlin")
        )
        #expect(request.fileStem == "refs-game-2026-01-01-2026-02-01")
    }

    @Test func keepsATerminalSafeFromNames() throws {
        let (name, shown) = ("a\u{1B}[31mb\u{202E}c\u{2066}\n", "a\\u001b[31mb\\u202ec\\u2066\\n")
        #expect(TextTable.printable(name) == shown)
        #expect(TextTable(rows: [[name, "b"]]).text(within: nil) == shown + "  b\n")
        let table = try result([[.text(name)]], columns: [.text("ref", "A ref.")]).text(as: .table)
        #expect(table.contains("\n\(shown)\n") && !table.unicodeScalars.contains("\u{202E}"))
    }

    /// Who reads a file with a program gets the names that were sent.
    @Test(arguments: [ReportFormat.csv, .json]) func keepsNamesInFiles(format: ReportFormat) throws {
        let text = try result([[.text("a\u{202E}c")]], columns: [.text("ref", "A ref.")]).text(as: format)
        #expect(text.contains("a\u{202E}c"))
    }

    @Test(
        arguments: [
            (.decimal(millionths: 0), "0"), (.decimal(millionths: 1), "0.000001"),
            (.decimal(millionths: -1), "-0.000001"),
            (.decimal(millionths: 1_500_000), "1.5"), (.fraction(millionths: 0), "0.000000"),
            (.fraction(millionths: -50_000), "-0.050000"), (.fraction(2, of: 3), "0.666667"),
            (.fraction(1, of: 0), nil),
            (.probability(1e-12), "1e-12"), (.probability(0.02845973661), "0.02845973661"),
            (.probability(0.1 + 0.2), "0.30000000000000004"),
            (.fraction(0.5), "0.500000"), (.fraction(Double.nan), nil), (.integer(-5), "-5"), (.empty, nil),
            // More digits than a double has.
            (.decimal(millionths: 246_913_978_412_508_914), "246913978412.508914"),
            (.decimal(millionths: 170_000_000_000_000_000_000_000_000_000), "170000000000000000000000"),
        ] as [(ReportCell, String?)]
    )
    func writesNumbersToTheDigit(cell: ReportCell, text: String?) {
        #expect(cell.plainText == text)
    }
}
