import Testing

@testable import Reporting

@Suite("Dialects of CSV, and chosen columns")
struct CSVDialectTests {
    private static let table = ReportTable(
        columns: [.text("day", ""), .text("ref", ""), .integer("people", unit: "", ""), .rate("rate", "")],
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
