import Events
import InboundLinks
import Time
@testable import Reporting
import Testing

@Suite("Rows of exports")
struct ExportRowWriterTests {
    private static let columns: [ReportColumn] = [
        .text("a", "A."), .integer("b", unit: "things", "B."), .decimal("c", unit: "things", "C."), .time("d", "D."),
        .flag("e", "E."), .uuid("f", "F."), .list("g", "G."), .json("h", "H."),
    ]

    private func text(_ format: ExportFormat, _ body: (inout ExportRowWriter) -> Void) -> String {
        var rows = ExportRowWriter(columns: Self.columns, format: format)
        rows.header()
        body(&rows)
        return String(decoding: rows.bytes, as: UTF8.self)
    }

    private func fill(_ rows: inout ExportRowWriter) {
        rows.beginRow()
        rows.text("say \"hi\", you")
        rows.integer(-5)
        rows.decimal(millionths: 1_500_000)
        rows.time(Timestamp(microseconds: 1_500_000))
        rows.flag(true)
        rows.uuid(EventID(high: 1, low: 2))
        rows.list(["=a", "b\"c"]) { text, body in Array(text.utf8).withUnsafeBytes(body) }
        let object = Array(#"{"k": "v,w"}"#.utf8)
        object.withUnsafeBytes { rows.json($0) }
        rows.endRow()
        rows.beginRow()
        rows.text("=1+1")
        rows.nulls(upTo: "g")
        rows.list([String]()) { text, body in Array(text.utf8).withUnsafeBytes(body) }
        rows.endRow()
    }

    @Test func areCSV() {
        #expect(
            text(.csv, fill)
                == "a,b,c,d,e,f,g,h\r\n"
                + "\"say \"\"hi\"\", you\",-5,1.5,1970-01-01T00:00:01.500000Z,true,"
                + "00000000-0000-0001-0000-000000000002,\"'=a,b\"\"c\",\"{\"\"k\"\": \"\"v,w\"\"}\"\r\n"
                + "'=1+1,,,,,,,\r\n"
        )
    }

    @Test func areNDJSON() {
        #expect(
            text(.ndjson, fill)
                == #"{"a":"say \"hi\", you","b":-5,"c":1.5,"d":"1970-01-01T00:00:01.500000Z","e":true,"#
                + #""f":"00000000-0000-0001-0000-000000000002","g":["=a","b\"c"],"h":{"k": "v,w"}}"# + "\n"
                + #"{"a":"=1+1","b":null,"c":null,"d":null,"e":null,"f":null,"g":[],"h":null}"# + "\n"
        )
    }

    @Test func areAHeaderAloneWhereThereAreNone() {
        #expect(text(.csv) { _ in } == "a,b,c,d,e,f,g,h\r\n")
        #expect(text(.ndjson) { _ in } == "")
    }
}
