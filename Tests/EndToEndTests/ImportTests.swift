import Foundation
import Postgres
import PostgresTesting
import Testing

/// `tributary import` as its user meets it.
@Suite("Imports on the command line")
struct ImportTests {
    private static let lineCount = 40_000

    private func withFolder(_ body: @Sendable (TestDatabase, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--currency", "EUR"],
                database: database.address
            )
            try await body(database, folder)
        }
    }

    @Test func goOnExactlyWhereTheyWereKilled() async throws {
        try await withFolder { database, folder in
            let file = folder.appending(path: "events.ndjson")
            let lines = (1...Self.lineCount).map { #"{"type":"install","user_id":"u\#($0)"}"# + "\n" }
            try lines.joined().write(to: file, atomically: true, encoding: .utf8)

            let process = Process()
            process.executableURL = Programs.url(of: "tributary")
            process.arguments = ["import", "--app", "shop", file.path]
            process.environment = ProcessInfo.processInfo.environment
                .merging(["DATABASE_URL": database.address.keywords]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Without suspension: other tests could delay this task until the import has ended.
            try await database.pool.withConnection { connection in
                while process.isRunning, try connection.query("select 1 from event limit 1").isEmpty {}
                kill(process.processIdentifier, SIGKILL)
            }
            process.waitUntilExit()
            try #require(process.terminationReason == .uncaughtSignal)
            // The server still commits what it was about to commit.
            let sessions =
                "select count(*) from pg_stat_activity where application_name = 'tributary' "
                + "and datname = current_database()"
            while try await Self.count(sessions, database) > 0 {}
            let stored = try await Self.count("select count(*) from event", database)
            #expect(try await Self.count("select line_number from import_progress", database) == stored)

            let outcome = try await Programs.tributary(
                ["import", "--app", "shop", file.path],
                database: database.address
            )
            #expect(outcome.status == 0)
            #expect(outcome.errors == "\(file.path): continues after line \(stored)\n")
            #expect(outcome.output == "accepted: \(Self.lineCount - stored)\nduplicates: 0\nrejected: 0\n")
            #expect(try await Self.count("select count(*) from event", database) == Self.lineCount)
            #expect(try await Self.count("select count(distinct user_id) from event", database) == Self.lineCount)
        }
    }

    /// Even without a daemon, the next report reads packed timelines.
    @Test func packWhatTheyStored() async throws {
        try await withFolder { database, folder in
            func store(_ users: ClosedRange<Int>) async throws -> Programs.Outcome {
                let file = folder.appending(path: "from-\(users.lowerBound).ndjson")
                let lines = users.map { #"{"type":"install","user_id":"u\#($0)"}"# + "\n" }
                try lines.joined().write(to: file, atomically: true, encoding: .utf8)
                return try await Programs.tributary(["import", "--app", "shop", file.path], database: database.address)
            }
            // Hold the lock for packing, as a daemon does. The import then packs nothing.
            let packing = "hashtextextended('tributary packing', 0)"
            let other = PostgresPool(address: database.address, size: 1)
            try await other.withConnection { try $0.execute("select pg_advisory_lock(\(packing))") }
            #expect(try await store(1...12_000).status == 0)
            #expect(try await Self.count("select count(*) from timeline_state", database) == 0)
            // Transactions of other tests may have held back the horizon until now.
            try await database.pool.passHorizon()
            try await other.withConnection { try $0.execute("select pg_advisory_unlock(\(packing))") }
            await other.close()
            let outcome = try await store(12_001...12_001)
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
            #expect(try await Self.count("select coalesce(max(events), 0) from timeline_state", database) >= 12_000)
            let check = try await Programs.tributary(["rebuild", "--check"], database: database.address)
            #expect(check.output.contains("shop: 12001 events of 12001 people match"))
        }
    }

    private static func count(_ sql: String, _ database: TestDatabase) async throws -> Int {
        try await database.pool.withConnection { Int(try $0.query(sql)[0].int(0)) }
    }

    /// The worked example of docs/import.md.
    @Test func doWhatTheirDocumentationShows() async throws {
        let page = try Documentation("import.md")
        try await withFolder { database, folder in
            let csv = folder.appending(path: "orders.csv").path
            let map = folder.appending(path: "orders.yaml").path
            try page.block("csv").write(toFile: csv, atomically: true, encoding: .utf8)
            try page.block("yaml").write(toFile: map, atomically: true, encoding: .utf8)
            let environment = Programs.longRetention
            let trial = try await Programs.tributary(
                ["import", "--app", "shop", "--mapping", map, "--dry-run", csv],
                environment: environment
            )
            #expect(trial.output == page.block("json"))
            #expect(trial.status == 65)
            let outcome = try await Programs.tributary(
                ["import", "--app", "shop", "--mapping", map, csv],
                database: database.address,
                environment: environment
            )
            let shown = page.block("text", containing: "accepted:")
            #expect(outcome.errors.replacing(folder.path + "/", with: "") + outcome.output == shown)
            #expect(outcome.status == 65)
        }
    }

    /// The worked example of docs/migrating.md.
    @Test func bringHistoryAsDocumented() async throws {
        let page = try Documentation("migrating.md")
        try await withFolder { database, folder in
            let csv = folder.appending(path: "history.csv").path
            let map = folder.appending(path: "history.yaml").path
            try page.block("csv").write(toFile: csv, atomically: true, encoding: .utf8)
            try page.block("yaml").write(toFile: map, atomically: true, encoding: .utf8)
            let outcome = try await Programs.tributary(
                ["import", "--app", "shop", "--mapping", map, csv],
                database: database.address,
                environment: Programs.longRetention
            )
            #expect(outcome.output == page.block("text", containing: "accepted:"))
            let report = try await Programs.tributary(
                ["report", "channels", "--app", "shop", "--from", "2026-02-01", "--to", "2026-03-01"],
                database: database.address
            )
            #expect(report.output.replacing("\r\n", with: "\n") == page.block("text", containing: "direct"))
        }
    }

    /// Each mapping of docs/mappings, with the sample beside it.
    @Test(arguments: ["adjust", "amplitude", "appmetrica", "appsflyer", "branch", "ga4", "mixpanel"])
    func readWellKnownExports(name: String) async throws {
        let folder = Documentation.folder.appending(path: "mappings")
        let outcome = try await Programs.tributary(
            [
                "import", "--app", "shop", "--mapping", folder.appending(path: "\(name).yaml").path, "--dry-run",
                folder.appending(path: "\(name).csv").path,
            ],
            environment: Programs.longRetention
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = try String(contentsOf: folder.appending(path: "\(name).ndjson"), encoding: .utf8)
        #expect(outcome.output == expected)
    }

    @Test func sayWhatIsWrong() async throws {
        let mistakes: [(arguments: [String], status: Int32, part: String)] = [
            (["missing.ndjson"], 65, "cannot be opened"),
            (["--mapping", "missing.yaml", "a.csv"], 64, "the mapping 'missing.yaml' cannot be read"),
            (["-", "-"], 64, "standard input can be read only once"),
            ([], 64, "file"),
            (["--rejected", "/nowhere/x", "-"], 65, "/nowhere/x"),
        ]
        try await withFolder { database, _ in
            for mistake in mistakes {
                let outcome = try await Programs.tributary(
                    ["import", "--app", "shop"] + mistake.arguments,
                    database: database.address,
                    input: ""
                )
                #expect(outcome.status == mistake.status, "\(mistake)")
                #expect(outcome.errors.contains(mistake.part), "\(mistake): \(outcome.errors)")
            }
        }
    }

    /// The name of a file may hold anything, too.
    @Test func sayInOneCleanLineWhatAFileIs() async throws {
        try await withFolder { database, folder in
            let file = folder.appending(path: "a\u{1B}[31m\nb.xlsx")
            try Data("PK\u{3}\u{4}\u{14}\0\u{6}\0[Content_Types].xml".utf8).write(to: file)
            let outcome = try await Programs.tributary(["import", file.path], database: database.address)
            #expect(outcome.status == 65)
            #expect(outcome.output == "")
            #expect(
                outcome.errors == """
                    tributary: \(folder.path)/a\\u001b[31m b.xlsx is an Excel workbook or another Office file; save the \
                    sheet as CSV in UTF-8, and import that with --mapping

                    """
            )
            let piped = try await Programs.tributary(
                ["import", "-"],
                database: database.address,
                input: "[\n{\"type\":\"install\",\"user_id\":\"u\"}\n]\n"
            )
            #expect(piped.status == 65)
            #expect(piped.errors.hasPrefix("tributary: standard input is a JSON document"), "\(piped.errors)")
            let empty = try await Programs.tributary(["import", "-"], database: database.address, input: "")
            #expect(empty.status == 65)
            #expect(empty.errors == "standard input is empty: it has no event\n")
            #expect(try await Self.count("select count(*) from rejected_event", database) == 0)
        }
    }

    @Test func sayWhatToDoAboutOldHistory() async throws {
        try await withFolder { database, folder in
            let input = #"{"type":"install","user_id":"u","occurred_at":"2001-01-01T00:00:00Z"}"# + "\n"
            let refused = try await Programs.tributary(
                ["import", "--app", "shop", "--format", "json", "-"],
                database: database.address,
                input: input
            )
            #expect(refused.status == 65)
            #expect(refused.errors.contains("standard input: line 1: too_old: "))
            #expect(refused.errors.contains("raise retention.days (TRIBUTARY_RETENTION_DAYS)"))
            #expect(
                refused.output
                    == #"{"accepted":0,"duplicates":0,"skipped":0,"rejected":1,"rejections":{"too_old":1}}"# + "\n"
            )
            let stored = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: database.address,
                input: input,
                environment: Programs.longRetention
            )
            #expect(stored.output == "accepted: 1\nduplicates: 0\nrejected: 0\n")
        }
    }
}
