import Testing

@testable import Reporting

@Suite("Dialects of CSV, and chosen columns")
struct CSVDialectTests {
    private static let table = ReportTable(
        columns: [
            .text("day", "").asCalendar(), .text("ref", ""), .integer("people", unit: "", ""), .rate("rate", ""),
        ],
        rows: [
            [.text("2026-01-31"), .text("a;b"), .integer(7), .fraction(millionths: 250_000)],
            [.text("2026-01-31T14:05:00.5Z"), .text("a,b"), .integer(0), .empty],
            [.text("total"), .text("=1;2"), .integer(1), .probability(1e-12)],
        ]
    )

    @Test func openInExcel() {
        #expect(
            CSVWriter.text(of: Self.table, as: .excelGerman)
                == "\u{FEFF}day;ref;people;rate\r\n31.01.2026;\"a;b\";7;0,250000\r\n"
                + "31.01.2026 14:05:00;\"a,b\";0;\r\ntotal;\"'=1;2\";1;1e-12\r\n"
        )
        #expect(
            CSVWriter.text(of: Self.table, as: .excelEnglish)
                == "\u{FEFF}day,ref,people,rate\r\n2026-01-31,a;b,7,0.250000\r\n"
                + "2026-01-31 14:05:00,\"a,b\",0,\r\ntotal,'=1;2,1,1e-12\r\n"
        )
    }

    @Test(
        arguments: [
            "9912140633506421", "000123", "73928e05", "1.1", "1.10", "3/4", "1-2", "TRUE", "falsch", "-5", "+49 30 123",
            "12:30", "5 pm", "Mar-5", "10 %", "3.2.1", "1,5", "5. Mrz", "2026-11-01", "2026-01-02",
            "2026-11-30T10:00:00Z", "2026-11-30T10:00", "2026-11-30t10:00:00.5+01:00", "2026-11-30 10:00:00",
        ]
    ) func keepTextsThatExcelWouldConvert(text: String) {
        let table = ReportTable(columns: [.text("ref", "")], rows: [[.text(text)]])
        let field = "\"=\"\"\(text)\"\"\"\r\n"
        #expect(CSVWriter.text(of: table, as: .excelEnglish).hasSuffix(field))
        #expect(CSVWriter.text(of: table, as: .excelGerman).hasSuffix(field))
        #expect(!CSVWriter.text(of: table, as: .standard).contains("=\"\""))
    }

    /// What is no number stays as it is, and no text of a stranger becomes a formula.
    @Test(
        arguments: [
            ("recipe", "recipe"), ("v1.10", "v1.10"), ("abc123", "abc123"), ("total", "total"), ("(none)", "(none)"),
            ("=1+2", "'=1+2"), ("=\"1\"&A1", "\"'=\"\"1\"\"&A1\""), ("1\"&A1&\"2", "\"1\"\"&A1&\"\"2\""), ("-", "'-"),
        ]
    ) func leaveOtherTexts(text: String, field: String) {
        let table = ReportTable(columns: [.text("ref", "")], rows: [[.text(text)]])
        #expect(CSVWriter.text(of: table, as: .excelEnglish).hasSuffix("\r\n\(field)\r\n"))
    }

    /// The column says which texts are dates. So a version stays one beside a day of the same letters.
    @Test func dateOnlyColumnsOfTimes() throws {
        func first(_ columns: [ReportColumn]) -> String {
            let table = ReportTable(columns: columns, rows: [columns.map { _ in .text("2026-11-01") }])
            return String(CSVWriter.text(of: table, as: .excelGerman).split(separator: "\r\n")[1])
        }
        let text = #""=""2026-11-01""""#
        #expect(first([.time("first_at", ""), .text("app_version", "")]) == "01.11.2026;\(text)")
        #expect(first(PeopleQuestion.columns.filter { $0.kind == .time }) == "01.11.2026;01.11.2026")
        #expect(first(PeopleQuestion.columns.filter { ["group", "person_id"].contains($0.name) }) == "\(text);\(text)")
    }

    @Test(arguments: [
        ("breakdown", "day", "01.01.2026"), ("breakdown", "app_version", #""=""2026-01-01""""#),
        ("funnel", "day", "01.01.2026"), ("funnel", "app_version", #""=""2026-01-01""""#),
        ("channels", "day", "01.01.2026"),
    ])
    func dateTheRowsOfPeriods(report: String, key: String, cell: String) throws {
        let request = try Asking.request(report, ["by": key, "from": "2026-01-01", "to": "2026-01-02"])
        var table = ReportTable(columns: request.columns, rows: [])
        table.rows = [table.columns.indices.map { $0 == 0 ? .text("2026-01-01") : .empty }]
        let line = CSVWriter.text(of: table, as: .excelGerman).split(separator: "\r\n")[1]
        #expect(line.hasPrefix(cell + ";"))
    }

    /// Their groups are days only if the question asks for days.
    @Test(arguments: ["generations", "retention"], ["day", "month", "channel"])
    func dateTheGroupsOfPeriods(report: String, key: String) throws {
        let request = try Asking.request(report, ["by": key, "from": "2026-01-01", "to": "2026-01-02"])
        let group = try #require(request.columns.first { $0.name == "group" })
        #expect(group.isDated == (key != "channel"))
    }

    /// No column of any report that is named like one of times is taken for a text, and no other for one of times.
    @Test func nameTheColumnsOfTimes() {
        let columns = ReportCatalogue.reports.flatMap { $0.allColumns }
        let names = Set(columns.filter(\.isDated).map(\.name))
        #expect(names == ["cohort", "day", "first_at", "last_at", "month", "period", "posted_at", "week"])
    }

    @Test func showTheseColumnsInThisOrder() throws {
        for format in ReportFormat.allCases {
            let text = try Self.result([("columns", "installs,channel"), ("by", "day")]).text(as: format)
            #expect(text.contains("installs") && text.contains("channel") && !text.contains("touches"), "\(format)")
        }
        let csv = try Self.result([("columns", "people,channel")]).text(as: .csv)
        #expect(csv.hasPrefix("people,channel\r\n0,search\r\n"))
    }

    @Test(arguments: [
        ("columns", "peeple"), ("columns", "people,people"), ("columns", ""), ("columns", "previous_people"),
        ("columns", "complete"), ("dialect", "excel"), ("dialect", "excel-de"),
    ])
    func refuseWhatThereIsNot(name: String, value: String) {
        let error = #expect(throws: ReportError.self) { try Self.result([(name, value), ("format", "json")]) }
        guard case .usage(_, let field, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(field == name)
    }

    private static func result(_ parameters: [(name: String, value: String)]) throws -> ReportResult {
        let request = try ReportRequest.parse(
            name: "channels",
            parameters: parameters,
            origin: .http,
            app: Asking.app(),
            now: OracleEvents.time(0)
        )
        let table = try request.table(over: MemoryTimelines([], query: request.query))
        return ReportResult(request: request, table: table)
    }
}
