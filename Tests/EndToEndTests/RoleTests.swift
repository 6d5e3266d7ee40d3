import Foundation
import Postgres
import PostgresTesting
import Testing

@testable import tributary

/// The roles of deploy/postgresql, as docs/operations.md sets them up.
@Suite("The documented roles")
struct RoleTests {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "deploy/postgresql")

    /// Columns that are named as secrets are, and that the reader may select: none is one.
    private static let readableColumns = [
        "app.apple_provider_token", "app.has_meta_referrer_key", "app_departure.target", "event.story_key",
        "event.target_url",
        "link.content_hash", "link.target_url", "timeline_segment.targets", "timeline_state.hash_key",
        "webhook_event.keys", "webhook_person_key.key",
    ]

    private func readableColumns(_ database: TestDatabase) async throws -> [String] {
        let statement = """
            select relname || '.' || attname
            from pg_attribute
                join pg_class on pg_class.oid = attrelid
            where relnamespace = 'public'::regnamespace
                and relkind in ('r', 'p')
                and not relispartition
                and attnum > 0
                and attname ~ '(key|secret|target|token|hash)'
                and has_column_privilege('tributary_reader', attrelid, attnum, 'select')
            order by 1
            """
        return try await database.pool.withConnection { try $0.query(statement).map { try $0.text(0) } }
    }

    private func psql(_ script: String, _ address: PostgresAddress) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "psql", "-X", "-q", "-d", address.keywords, "-f", Self.scripts.appending(path: script).path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(script)")
    }

    @Test func areToldWhatTheyMayNotDo() async throws {
        // Roles belong to a whole server.
        try await TestDatabases.withOwnServer(migrate: { _ in }) { database in
            func address(_ role: String) throws -> PostgresAddress {
                try PostgresAddress(database.address.keywords + " user=\(role)")
            }
            try await psql("roles.sql", database.address)
            let owner = try address("tributary_owner")
            let home = FileManager.default.temporaryDirectory.appending(path: "roles-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: home) }
            let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_PORT": "0"]
            func run(_ arguments: String..., as role: String) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: try address(role), environment: environment)
            }
            #expect(try await run("app", "create", "--id", "shop", "--name", "Shop", as: "tributary_owner").status == 0)
            try await psql("grants.sql", owner)
            #expect(try await readableColumns(database) == Self.readableColumns)
            let inspected = try await run("inspect", "--app", "shop", "https://a.example/", as: "tributary_reader")
            #expect(inspected.status == 0, "\(inspected.errors)")

            // What people with a write key store through the daemon.
            let rates = FileManager.default.temporaryDirectory.appending(path: "rates-\(UUID()).csv").path
            defer { try? FileManager.default.removeItem(atPath: rates) }
            try "date,currency,rate\n2026-01-05,EUR,1.5\n".write(toFile: rates, atomically: true, encoding: .utf8)
            for arguments in [
                ["cost", "add", "shop", "--ref", "mail", "--from", "2026-01-05", "--amount", "1"],
                ["cost", "remove", "shop", "1"], ["app", "rates", "import", "shop", rates],
                ["app", "rates", "clear", "shop"],
            ] {
                let outcome = try await Programs.tributary(
                    arguments,
                    database: try address("tributary_writer"),
                    environment: environment
                )
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            }

            let writer = try await run("doctor", as: "tributary_writer")
            #expect(writer.status == 0, "\(writer.output)")
            #expect(writer.output.contains("rejected events: not checked: needs the owner"), "\(writer.output)")
            #expect(writer.output.contains("apps: shop"), "\(writer.output)")
            #expect(writer.output.contains("warning  old data: a daemon with this role cannot"), "\(writer.output)")
            let settled = try await Programs.tributary(
                ["doctor"],
                database: try address("tributary_writer"),
                environment: environment.merging(["TRIBUTARY_RETENTION_AUTOMATIC": "off"]) { $1 }
            )
            #expect(!settled.output.contains("old data"), "\(settled.output)")
            let owning = try await run("doctor", as: "tributary_owner")
            #expect(!owning.output.contains("old data"), "\(owning.output)")
            let reader = try await run("doctor", as: "tributary_reader")
            #expect(reader.status == 69)
            #expect(reader.output.contains("tributary_reader is a read-only role"), "\(reader.output)")
            #expect(!reader.output.contains("standby"), "\(reader.output)")
            #expect(reader.output.contains("apps: shop"), "\(reader.output)")

            let saved = try await run("question", "save", "q", "--", "report", "channels", as: "tributary_reader")
            #expect(saved.status == 77, "\(saved.errors)")
            #expect(saved.errors.contains("tributary_reader is a read-only role"), "\(saved.errors)")
            #expect(try await run("report", "channels", as: "tributary_reader").status == 0)
            for arguments in [["app", "delete", "shop", "--yes"], ["rejected", "list"], ["app", "keys", "shop"]] {
                let role = arguments[0] == "app" && arguments[1] == "delete" ? "tributary_writer" : "tributary_reader"
                let outcome = try await Programs.tributary(
                    arguments,
                    database: try address(role),
                    environment: environment
                )
                #expect(outcome.status == 77, "\(arguments): \(outcome.errors)")
                #expect(outcome.errors.contains("owner of the tables"), "\(arguments): \(outcome.errors)")
            }

            // By default the daemon removes old data, which this role may not.
            try await RunningDaemon.with(database: try address("tributary_writer")) { daemon in
                #expect(await daemon.logged("old data cannot be removed") != nil)
                #expect(daemon.logText.contains("retention.automatic to off"), "\(daemon.logText)")
                #expect(!daemon.logText.contains("old data will be removed"))
            }
        }
    }

    @Test func aFullDiskIsCalledFull() {
        let full = DiskSpace(folder: "/x", free: 0)
        let last = full.finding("the spool", isLastPlace: true)
        #expect(last.state == .missing)
        #expect(last.what.contains("the disk is full"))
        #expect(full.finding("the spool").state == .warning)
        #expect(!full.finding("the spool").lines.contains("before the disk is full"))
        #expect(DiskSpace(folder: "/x", free: 500 << 20).finding("the spool").lines.contains("before the disk is full"))
        #expect(DiskSpace(folder: "/x", free: 5 << 30).finding("the spool").state == .good)
    }
}
