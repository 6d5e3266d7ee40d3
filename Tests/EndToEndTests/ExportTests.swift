import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Exports from the command line", .timeLimit(.minutes(30)))
struct ExportTests {
    private static func withShop<R: Sendable>(
        _ body: @Sendable (TestDatabase, _ folder: URL) async throws -> R
    ) async throws -> R {
        try await TestDatabases.withSchema { database in
            let folder = FileManager.default.temporaryDirectory.appending(path: "tributary-export-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            return try await body(database, folder)
        }
    }

    private static func store(_ users: [String], in database: TestDatabase) async throws {
        let lines = users.map { #"{"type":"link_click","user_id":"\#($0)","channel":"search"}"# }
        let outcome = try await Programs.tributary(
            ["import", "--app", "shop", "-"],
            database: database.address,
            input: lines.joined(separator: "\n")
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test func ofAnAppWithoutDataAreAHeader() async throws {
        try await Self.withShop { database, _ in
            for name in ["events", "touches", "credits", "people"] {
                let outcome = try await Programs.tributary(
                    ["export", name, "--app", "shop"],
                    database: database.address
                )
                #expect(outcome.status == 0 && outcome.errors == "")
                #expect(outcome.output.count { $0 == "\r\n" } == 1)
            }
        }
    }

    @Test func keepASeriesInACursorFile() async throws {
        try await Self.withShop { database, folder in
            func export(_ number: Int) async throws -> [String] {
                let file = folder.appending(path: "people-\(number).csv").path
                let cursor = folder.appending(path: "people.cursor").path
                let outcome = try await Programs.tributary(
                    ["export", "people", "--app", "shop", "--cursor-file", cursor, "--output", file, "--manifest"],
                    database: database.address
                )
                #expect(outcome.status == 0)
                // A cron job should print nothing if all is well.
                #expect(outcome.output == "" && outcome.errors == "")
                // The rows have ids of people.
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                let lines = try Self.text("people-\(number).csv", in: folder).split(separator: "\r\n")
                let manifest = try JSONDocument(
                    reading: Self.text("people-\(number).csv.manifest.json", in: folder).utf8
                ).root
                #expect(manifest["rows"]?.number == "\(lines.count - 1)")
                #expect(try manifest["cursor"]?.string.map { $0 + "\n" } == Self.text("people.cursor", in: folder))
                return lines.dropFirst().map { $0.split(separator: ",").prefix(2).joined(separator: " ") }
            }
            // Open transactions of other tests hold the cursor back.
            func everybody(from number: Int) async throws -> Set<String> {
                var people: Set<String> = []
                while true {
                    people.formUnion(try await export(number))
                    let cursor = try Self.text("people.cursor", in: folder).split(separator: ":").last ?? ""
                    let next = try #require(Int64(cursor.dropLast()))
                    let isRead = try await database.pool.withConnection { connection in
                        try connection.query("select max(transaction_number) < $1 from event", [.int(next)])[0].bool(0)
                    }
                    if isRead { return people }
                }
            }
            try await Self.store(["ann", "bob"], in: database)
            #expect(try await everybody(from: 1) == ["user ann", "user bob"])
            try await Self.store(["bob", "cid"], in: database)
            #expect(try await everybody(from: 2) == ["user bob", "user cid"])
            #expect(
                try Self.names(in: folder) == [
                    "people-1.csv", "people-1.csv.manifest.json", "people-2.csv", "people-2.csv.manifest.json",
                    "people.cursor",
                ]
            )
        }
    }

    @Test func tellTheNextCursorWhereItIsNotKept() async throws {
        try await Self.withShop { database, _ in
            try await Self.store(["ann"], in: database)
            let outcome = try await Programs.tributary(
                ["export", "events", "--app", "shop", "--since", "0", "--format", "ndjson"],
                database: database.address
            )
            #expect(outcome.status == 0)
            #expect(outcome.errors.hasPrefix("cursor: events:shop:"))
        }
    }

    private static let mistakes: [([String], String)] = [
        (["event"], "did you mean 'events'"), (["events", "--model", "last"], "unknown parameter of events"),
        (["events", "--format", "xml"], "one of: csv, ndjson"),
        (["credits", "--model", "lats"], "did you mean 'last'"),
        (["events", "--since", "7"], "not a cursor"),
        (["events", "--since", "touches:shop:7"], "a cursor of 'touches'"),
        (["events", "--since", "0", "--cursor-file", "c"], "use one of them"),
        (["events", "--manifest"], "needs a file"),
        (["events", "--output", "/nowhere/at/all.csv"], "does its folder exist?"),
        (["events", "--output", "/tmp"], "a folder"),
        (["events", "--output", "same", "--manifest", "same"], "cannot be the same file"),
        (["events", "--from", "2026-02-01", "--to", "2026-01-01"], "reversed"),
    ]

    @Test func refuseWhatTheyCannotDo() async throws {
        try await Self.withShop { database, _ in
            let cases = Self.mistakes.map { (["export"] + $0 + ["--app", "shop"], $1) }
            try await Programs.expectUsageErrors(cases, database: database.address)
        }
    }

    @Test func sayThatTheDiskIsFullAndKeepTheCursor() async throws {
        try await Self.withShop { database, folder in
            try await Self.store(["ann"], in: database)
            let cursor = folder.appending(path: "cursor").path
            let outcome = try await Programs.tributary(
                ["export", "events", "--app", "shop", "--output", "/dev/full", "--cursor-file", cursor],
                database: database.address
            )
            #expect(outcome.status == 70)
            #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
            #expect(try Self.names(in: folder).isEmpty)
        }
    }

    /// Ctrl-C in the middle: the old file stays, and no other file is left.
    @Test(arguments: [SIGINT, SIGTERM]) func leaveNoHalfFileWhenInterrupted(signal: Int32) async throws {
        try await Self.withShop { database, folder in
            try await Self.store(["ann"], in: database)
            let file = folder.appending(path: "events.csv")
            try Data("before".utf8).write(to: file)
            let blocker = try await PostgresConnection.connect(
                to: database.address,
                options: PostgresOptions(idleInTransactionTimeout: nil)
            )
            try await blocker.run { try $0.executeScript("begin; lock table event in access exclusive mode") }

            let process = Process()
            process.executableURL = Programs.url(of: "tributary")
            process.arguments = [
                "export", "events", "--app", "shop", "--output", file.path, "--manifest", "--cursor-file",
                folder.appending(path: "cursor").path,
            ]
            process.environment = ProcessInfo.processInfo.environment
                .merging(["DATABASE_URL": database.address.keywords]) { $1 }
            process.standardError = Pipe()
            try process.run()
            // When it waits for the lock, it has begun to read.
            while try await database.pool.withConnection({ connection in
                try connection.query(
                    """
                    select count(*)
                    from pg_locks
                    join pg_database on pg_database.oid = pg_locks.database
                    where datname = current_database() and not granted
                    """
                )[0].int(0)
            }) == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try Self.names(in: folder).count > 1)
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationStatus == 128 + signal)
            #expect(try Self.names(in: folder) == ["events.csv"])
            #expect(try Self.text("events.csv", in: folder) == "before")
            await blocker.close()
        }
    }
}
