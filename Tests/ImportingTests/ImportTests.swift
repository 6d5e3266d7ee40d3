import Events
import Foundation
import Importing
import JSONReading
import Logging
import Postgres
import PostgresTesting
import Redirects
import Storage
import Testing

@Suite("Imports")
struct ImportTests {
    @Test func storeLinesWithoutIDsOnce() async throws {
        try await ImportTesting.with { testing in
            // The last two lines are equal, but they are two events.
            let text = ImportTesting.lines(1...300) + ImportTesting.lines(300...300)
            let path = try testing.write(text, to: "a.ndjson")
            #expect(try await testing.import([path]).tally.accepted == 301)
            let again = try await testing.import([path]) { $0.readsAgain = true }
            #expect(again.tally.accepted == 0 && again.tally.duplicates == 301)
            // Line ends and blank lines do not change the events.
            let spaced = try testing.write(text.replacing("\n", with: " \r\n\r\n"), to: "b.ndjson")
            #expect(try await testing.import([spaced]).tally.duplicates == 301)
            #expect(try await testing.count("select count(*) from event") == 301)
            #expect(try await testing.import([path], app: "other").tally.accepted == 301)
        }
    }

    @Test func passOverWhatWasImported() async throws {
        try await ImportTesting.with { testing in
            let text = ImportTesting.lines(1...100) + "rubbish\n"
            let path = try testing.write(text, to: "a.ndjson")
            #expect(try await testing.import([path]).tally.accepted == 100)
            let copy = try testing.write(text, to: "copy.ndjson")
            let packed = try testing.write(ImportTesting.gzip(Array(text.utf8)), to: "a.ndjson.gz")
            let (tally, notices) = try await testing.import([path, copy, packed])
            #expect(tally == ImportTally())
            #expect(notices == [path, copy, packed].map { .isDone(file: $0, lines: 101, rejected: 1) })
        }
    }

    @Test func goOnWhereAFileHasGrown() async throws {
        try await ImportTesting.with { testing in
            let path = try testing.write(ImportTesting.lines(1...6_000), to: "a.ndjson")
            #expect(try await testing.import([path]).tally.accepted == 6_000)
            _ = try testing.write(ImportTesting.lines(1...6_500), to: "a.ndjson")
            let grown = try await testing.import([path])
            #expect(grown.tally.accepted == 500 && grown.tally.duplicates == 0)
            // A small file is read again, and its events count as duplicates.
            let small = try testing.write("", to: "b.ndjson")
            #expect(try await testing.import([small]).tally.emptyFiles == 1)
            for count in [1, 3] {
                _ = try testing.write(ImportTesting.lines(7_001...7_000 + count), to: "b.ndjson")
                try await testing.import([small])
            }
            #expect(try await testing.count("select count(*) from event") == 6_503)
        }
    }

    @Test func beginAnewWhereAFileHasChanged() async throws {
        try await ImportTesting.with { testing in
            let path = try testing.write(ImportTesting.lines(1...6_000), to: "a.ndjson")
            try await testing.import([path])
            let changed =
                ImportTesting.lines(1...5_000) + ImportTesting.lines(9_001...9_010)
                + ImportTesting.lines(5_011...6_000)
            _ = try testing.write(changed, to: "a.ndjson")
            let (tally, notices) = try await testing.import([path])
            #expect(notices == [.hasChanged(file: path, line: 6_000)])
            // Lines after the change count as new, because the lines before them have changed.
            #expect(tally.duplicates == 5_000 && tally.accepted == 1_000)
            let shorter = try testing.write(ImportTesting.lines(1...5_900), to: "a.ndjson")
            #expect(try await testing.import([shorter]).tally.duplicates == 5_900)
        }
    }

    @Test func recordHowFarTheyCameWithTheEvents() async throws {
        try await ImportTesting.with { testing in
            let path = try testing.write(ImportTesting.lines(1...12_345) + "{}\n", to: "a.ndjson")
            try await testing.import([path])
            let size = try Data(contentsOf: URL(filePath: path)).count
            let record = "line_number = 12346 and byte_offset = \(size) and rejected = 1 and is_finished"
            #expect(try await testing.count("select count(*) from import_progress where \(record)") == 1)
        }
    }

    @Test func keepRejectedLinesOnce() async throws {
        try await ImportTesting.with { testing in
            let text = #"""
                {"type":"conversion","user_id":"u1"}
                rubbish
                {"type":"conversion","user_id":"u2","event_id":"00000000-0000-4000-8000-000000000001"}
                {"type":"install","user_id":"u3","event_id":7}

                """#
            let path = try testing.write(text, to: "a.ndjson")
            let rejectedPath = testing.folder.appending(path: "rejected.ndjson").path
            for _ in 1...2 {
                let (tally, _) = try await testing.import([path]) {
                    $0.readsAgain = true
                    $0.rejectedFile = rejectedPath
                }
                #expect(tally.rejected == [.missingField: 2, .invalidJSON: 1, .invalidType: 1])
            }
            #expect(try await testing.count("select count(*) from rejected_event") == 4)
            let lines = try String(contentsOfFile: rejectedPath, encoding: .utf8).split(separator: "\n")
            let told = try lines.map { line in
                let root = try JSONDocument(reading: line.utf8).root
                return "\(root["line"]?.number ?? "") \(root["code"]?.string ?? "") \(root["field"]?.string ?? "")"
            }
            #expect(
                told == ["1 missing_field name", "2 invalid_json ", "3 missing_field name", "4 invalid_type event_id"]
            )

            // If the dead letter is stored later, it is the same event as the line.
            try await testing.database.pool.withConnection { connection in
                try connection.execute(
                    "update rejected_event set event = replace(event, 'conversion', 'install') where code = 'missing_field'"
                )
            }
            let retried = try await retry(testing)
            #expect(retried.stored == 2)
            _ = try testing.write(text.replacing("conversion", with: "install"), to: "b.ndjson")
            let ids = try await testing.texts("select event_id::text from event order by user_id")
            #expect(ids[0].dropFirst(14).first == "8" && ids[1] == "00000000-0000-4000-8000-000000000001")
        }
    }

    /// So does an event that is rejected first and stored later.
    @Test func joinTouchesWithTheShortLinksOfTheApp() async throws {
        try await ImportTesting.with { testing in
            var table = LinkTable()
            table.set(LinkApp(id: "shop", name: "Shop"), hosts: ["go.example"])
            var link = Link(host: "go.example", slug: "gift")
            link.refs = ["present"]
            table.set(link)
            let touch = #"{"type":"inbound_link","user_id":"u","url":"https://go.example/gift"}"#
            let path = try testing.write(
                touch + "\n" + touch.replacing("inbound_link", with: "inbound") + "\n",
                to: "a.ndjson"
            )
            try await testing.import([path]) { [table] in $0.links = table }
            let joined = "select concat_ws(' ', short_link, refs[1]) from event"
            #expect(try await testing.texts(joined) == ["go.example/gift present"])
            try await testing.database.pool.withConnection { connection in
                try connection.execute(
                    "update rejected_event set event = replace(event, '\"inbound\"', '\"inbound_link\"')"
                )
            }
            #expect(try await retry(testing, links: table).stored == 1)
            #expect(try await testing.texts(joined) == ["go.example/gift present", "go.example/gift present"])
        }
    }

    private func retry(
        _ testing: ImportTesting,
        links: LinkTable = LinkTable()
    ) async throws -> RejectedEventRetry.Outcome {
        let writer = EventWriter(pool: testing.database.pool, logger: .init(label: "test"))
        let retry = RejectedEventRetry(
            letters: RejectedEventStore(pool: testing.database.pool),
            writer: writer,
            links: links
        )
        return try await writer.whileRunning { try await retry.run(RejectedEventFilter()) }
    }

    @Test func tellRejectedLinesOnceWhenTheyGoOn() async throws {
        try await ImportTesting.with { testing in
            let rejectedPath = testing.folder.appending(path: "rejected.ndjson").path
            let first = ImportTesting.lines(1...5_000) + "bad\n"
            let path = try testing.write(first, to: "a.ndjson")
            try await testing.import([path]) { $0.rejectedFile = rejectedPath }
            // As if the import had been killed after its last commit: one line too many, and half a line.
            let told = try String(contentsOfFile: rejectedPath, encoding: .utf8)
            func expectIsPrivate(_ path: String) throws {
                // The lines have ids of people.
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            try expectIsPrivate(rejectedPath)
            try (told + told.replacing("5001", with: "5002") + #"{"file":"a"#).write(
                toFile: rejectedPath,
                atomically: true,
                encoding: .utf8
            )
            _ = try testing.write(first + "worse\n", to: "a.ndjson")
            try await testing.import([path]) { $0.rejectedFile = rejectedPath }
            try expectIsPrivate(rejectedPath)
            let lines = try String(contentsOfFile: rejectedPath, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.map { $0.contains(#""line":5001"#) } == [true, false])
            try await testing.import([path]) {
                $0.rejectedFile = rejectedPath
                $0.readsAgain = true
            }
            let again = try String(contentsOfFile: rejectedPath, encoding: .utf8).split(separator: "\n")
            #expect(again == lines)
            try expectIsPrivate(rejectedPath)
        }
    }

    @Test func readAgainWhereTheRetentionIsAnother() async throws {
        try await ImportTesting.with { testing in
            let old = Date.now.addingTimeInterval(-500 * 86_400).formatted(.iso8601)
            let path = try testing.write(
                #"{"type":"install","user_id":"u","occurred_at":"\#(old)"}"#,
                to: "a.ndjson"
            )
            #expect(try await testing.import([path]).tally.rejected == [.tooOld: 1])
            let tally = try await testing.import([path]) { $0.retention = .seconds(1_000 * 86_400) }.tally
            #expect(tally.accepted == 1)
        }
    }

    @Test func readGzipOfAnySize() async throws {
        try await ImportTesting.with { testing in
            let text = Array(ImportTesting.lines(1...12_000).utf8)
            // Two members, as in gzip files that were appended to.
            let half = text.count / 2
            var packed = ImportTesting.gzip(Array(text[..<half])) + ImportTesting.gzip(Array(text[half...]))
            // As some programs fill their last block.
            packed += [UInt8](repeating: 0, count: 512)
            let path = try testing.write(packed, to: "a.ndjson.gz")
            #expect(try await testing.import([path]).tally.accepted == 12_000)
            let torn = try testing.write(Array(packed.dropLast(1_000)), to: "torn.gz")
            let error = await #expect(throws: ImportError.self) {
                try await testing.import([torn]) { $0.readsAgain = true }
            }
            #expect(error?.description.contains("incomplete") == true)
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0x00], 1, "iconv"),
            ([0x61], 9 << 20, "bad: line 1 is longer than 8 MiB"),
            ([0x1F, 0x8B, 0x00, 0x01], 1, "gzip"),
        ] as [([UInt8], Int, String)]
    )
    func sayWhyAFileCannotBeRead(bytes: [UInt8], times: Int, part: String) async throws {
        try await ImportTesting.with { testing in
            let good = try testing.write(ImportTesting.lines(1...1), to: "good")
            let bad = try testing.write(bytes + Array(repeating: 0x61, count: times - 1), to: "bad")
            let error = await #expect(throws: ImportError.self) { try await testing.import([good, bad]) }
            #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
            let missing = await #expect(throws: ImportError.self) { try await testing.import([good, "/nowhere"]) }
            #expect(missing?.description.contains("/nowhere") == true)
        }
    }
}
