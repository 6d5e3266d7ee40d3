import Events
import Foundation
@testable import Importing
import Storage
import Testing

/// What an import says of files that are neither NDJSON nor CSV (docs/import.md, *What is not imported*).
@Suite("Files that cannot be imported")
struct RecognitionTests {
    private static let event = #"{"type":"install","user_id":"u"}"#
    private static let mapping = """
        csv: {delimiter: comma}
        fields:
          type: install
          user_id: {column: user}
          occurred_at: {column: at}
        """

    /// The error of a dry run; nil if it ends without one.
    private func failure(
        _ bytes: [UInt8],
        mapping: String? = nil
    ) async throws -> String? {
        let url = FileManager.default.temporaryDirectory.appending(path: "recognition-\(UUID())")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let path = url.path
        var settings = EventImporter.Settings()
        settings.mapping = try mapping.map { try ImportMapping(yaml: $0, name: "map.yaml") }
        let app = App(number: 0, profile: AppProfile(id: "shop", name: "Shop"))
        var importer = EventImporter(app: app, settings: settings, destination: nil)
        do {
            try await importer.run([path])
            return nil
        } catch let error as ImportError {
            guard case .unusableInput(let message) = error else { return "unexpected: \(error)" }
            return message.replacing(path, with: "file")
        }
    }

    private static let binary: [([UInt8], String)] = [
        (Array("PK\u{3}\u{4}\u{14}\0\u{6}\0[Content_Types].xml".utf8), "file is an Excel workbook"),
        (Array("PK\u{3}\u{4}\u{14}\0\u{6}\0_rels/.rels……xl/workbook.xml".utf8), "as CSV in UTF-8"),
        (Array("PK\u{3}\u{4}\u{14}\0\u{6}\0events.csv".utf8), "is a ZIP archive; unpack it first"),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "is an old Excel workbook"),
        (Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3], "is a PDF"),
        ([0xFF, 0xFE] + utf16(event), "is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"),
        (utf16(event), "iconv -f UTF-16LE"),
        ([0] + utf16(event), "iconv -f UTF-16BE"),
        ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "iconv -f UTF-32"),
        (ImportTesting.gzip(ImportTesting.gzip(Array(event.utf8))), "was compressed twice with gzip"),
        (ImportTesting.gzip(Array("%PDF-1.7".utf8)), "is a PDF"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 1], "xzcat FILE | tributary import -"),
        (Array("PAR1".utf8) + [0, 1, 2], "is a Parquet file"),
        (Array("SQLite format 3\0".utf8), "is an SQLite database"),
        (Array(repeating: 0x61, count: 257) + Array("ustar\0".utf8), "is a tar archive"),
        (Array("\n<!DOCTYPE html><html>".utf8), "is a page in HTML"),
        (Array("<?xml version=\"1.0\"?>".utf8), "is XML"),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D], "is a binary file"),
        ((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }, "is a binary file"),
    ]

    private static func utf16(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }

    @Test(arguments: binary) func areNamed(bytes: [UInt8], part: String) async throws {
        for mapping in [nil, Self.mapping] {
            let message = try await failure(bytes, mapping: mapping)
            #expect(message?.contains(part) == true, "\(message ?? "")")
            // Nothing of the file.
            #expect(message?.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } == true, "\(message ?? "")")
        }
    }

    @Test(
        arguments: [
            ("[\n  \(event),\n  \(event)\n]\n", "jq -c '.[]'"),
            ("[\(event),\n\(event)]", "jq -c '.[]'"),
            ("[\(event),\(event)]", "jq -c '.[]'"),
            ("[]", "jq -c '.[]'"),
            ("{\n  \"type\": \"install\",\n  \"user_id\": \"u\"\n}\n", "is a JSON document"),
            ("\u{FEFF}{\n\"type\":\"install\"}\n{\n\"type\":\"install\"}\n", "jq -c '.'"),
            ("{\"events\":[\(event)]}", "jq -c '.events[]'"),
            ("{\n  \"events\": [\n\(event)\n  ]\n}\n", "jq -c '.events[]'"),
            ("{\n\"type\":\n" + String(repeating: "\"a\":[1,\n2],\n", count: 9_000), "none of its first lines"),
            ("{\n" + String(repeating: "\"a\":[1,\n2],\n", count: 9_000), "jq -c '.'"),
            ("\(event),\n\(event),\n", "has a comma after each event"),
            ("user,at\nu,2026-01-01\n", "looks like CSV with 2 columns; CSV needs --mapping"),
            ("user;at;x\nu;2026-01-01;1\n", "looks like CSV with 3 columns"),
            ("user\tat\nu\t2026-01-01\n", "looks like CSV with 2 columns"),
            ("user|at\n", "looks like CSV with 2 columns"),
            ("Dear reader\nthere is nothing here\n", "none of its first lines is a JSON object"),
            ("rubbish", "NDJSON has one event on each line"),
            (#"{"type":"install","user_id":"#, "none of its first lines is a JSON object"),
        ]
    )
    func areNotLines(text: String, part: String) async throws {
        let message = try await failure(Array(text.utf8))
        #expect(message?.contains(part) == true, "\(message ?? "")")
    }

    /// One good line in the beginning is enough: the others are rejected one by one.
    @Test(
        arguments: [
            "rubbish\n\(event)\n", "user,at\n\(event)\n", "\u{0}\u{0}\u{0}\n\(event)\n", "\(event),\n\(event)\n",
            "[1,2]\n\(event)\n", "[info] x\n\(event)\n", #"{"type":"inst"# + "\n\(event)\n", "{}\n", "\n\n  \(event)",
            "{\"properties\":{\"events\":[1]}}\n\(event)\n", #"{"type":"conversion","name":"events","user_id":"u"}"#,
            "\u{FEFF}\(event)\n",
            "{\"type\":\"install\",\"x\":\"" + String(repeating: "x", count: 70_000) + "\"}\n\(event)\n",
        ]
    )
    func areNotThoseWithAGoodLine(text: String) async throws {
        #expect(try await failure(Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("user;at\nu;2026-01-01\n", "separated by semicolon and not by comma; write 'csv: {delimiter: semicolon}'"),
            ("user\tat\n", "separated by tab"),
            ("at|user|a,b\n", "separated by pipe"),
            ("user\nu\n", "has no column 'at'"),
            ("usr,at,x;y\n", "has no column 'user'"),
            ("\(event)\n", "is JSON, and --mapping reads CSV; leave --mapping out"),
            ("[\n\(event)\n]\n", "is JSON"),
        ]
    )
    func areNotRows(text: String, part: String) async throws {
        let message = try await failure(Array(text.utf8), mapping: Self.mapping)
        #expect(message?.contains(part) == true, "\(message ?? "")")
    }

    @Test func areNotStoredInPart() async throws {
        try await ImportTesting.with { testing in
            let good = try testing.write(ImportTesting.lines(1...10), to: "good.ndjson")
            for (bytes, _) in Self.binary.prefix(3) {
                let bad = try testing.write(bytes, to: "bad")
                await #expect(throws: ImportError.self) { try await testing.import([good, bad]) }
            }
            // Lines of another program, all alike: recognised only when they are decoded.
            let foreign = String(repeating: #"{"event_name":"open","uid":"1"}"# + "\n", count: 20_000)
            let other = try testing.write(foreign, to: "other.ndjson")
            let error = await #expect(throws: ImportError.self) { try await testing.import([other]) }
            #expect(error?.description.contains("none of the first 5000 lines is an event") == true, "\(error as Any)")
            #expect(error?.description.contains("line 1: unknown_field: unknown field event_name") == true)
            for table in ["event", "rejected_event", "import_progress"] {
                #expect(try await testing.count("select count(*) from \(table)") == 0)
            }
        }
    }

    /// Few wrong lines, wrong in content, or after good ones: they are rejected one by one.
    @Test(
        arguments: [
            (String(repeating: "{\"a\":1}\n", count: 99), 99),
            (String(repeating: #"{"type":"install","user_id":"null"}"# + "\n", count: 300), 300),
            (
                String(
                    repeating: #"{"type":"install","user_id":"u","occurred_at":"2001-01-01T00:00:00Z"}"# + "\n",
                    count: 300
                ), 300
            ),
            (String(repeating: "{\"a\":1}\n", count: 150) + "{\"type\":\"x\"}\n", 151),
            ("\(event)\n" + String(repeating: "{\"a\":1}\n", count: 300), 300),
        ]
    )
    func areNotThoseWithFewWrongLines(text: String, rejected: Int) async throws {
        try await ImportTesting.with { testing in
            let path = try testing.write(text, to: "a.ndjson")
            #expect(try await testing.import([path]).tally.rejectedCount == rejected)
            #expect(try await testing.count("select count(*) from rejected_event") == rejected)
        }
    }

    @Test(arguments: ["", "\n  \n", "\u{FEFF}"]) func areEmptyAndSaySo(text: String) async throws {
        try await ImportTesting.with { testing in
            let empty = try testing.write(text, to: "empty.ndjson")
            let good = try testing.write(ImportTesting.lines(1...3), to: "good.ndjson")
            let (tally, notices) = try await testing.import([empty, good])
            #expect(tally.accepted == 3 && tally.emptyFiles == 1)
            #expect(notices == [.isEmpty(file: empty)])
        }
    }
}
