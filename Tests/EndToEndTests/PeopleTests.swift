import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// `tributary person`, `app delete`, `prune` and `receipts` beside the real daemon, with its spool.
@Suite("People on the command line")
struct PeopleTests {
    private static let user = "Erasable7person"
    private static let device = "Erasable7device"
    private static let click = "Erasable7click"

    private struct Setting {
        var cluster: EmbeddedPostgres
        var database: PostgresAddress
        var folder: String
        var write: String
        var read: String

        func environment(_ home: String, _ more: [String: String] = [:]) -> [String: String] {
            ["TRIBUTARY_HOME": "\(folder)/\(home)"].merging(more) { $1 }
        }

        func tributary(_ arguments: [String], home: String = "home") async throws -> Programs.Outcome {
            try await Programs.tributary(arguments, database: database, environment: environment(home))
        }

        func json(_ arguments: [String], home: String = "home") async throws -> JSONNode {
            let outcome = try await tributary(arguments + ["--format", "json"], home: home)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try JSONDocument(reading: outcome.output.utf8).root
        }

        func count(_ sql: String) async throws -> Int {
            let connection = try await PostgresConnection.connect(to: database)
            let count = try await connection.run { try $0.query(sql)[0].int(0) }
            await connection.close()
            return count
        }
    }

    private func withSetting(_ body: (Setting) async throws -> Void) async throws {
        try await ClusterTemplate.with(named: "people") { cluster, folder in
            let database = try await cluster.start()
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database
            )
            let root = try JSONDocument(reading: outcome.output.utf8).root
            let write = try #require(root["write_key"]?.string)
            let read = try #require(root["read_key"]?.string)
            try await body(
                Setting(cluster: cluster, database: database, folder: folder, write: write, read: read)
            )
        }
    }

    private static func event(_ number: Int, _ members: String) -> String {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return #"{"event_id":"\#(id)",\#(members)}"#
    }

    private static let stored = """
        [\(event(1, #""type":"install","device_id":"\#(device)""#)),
        \(event(2, #""type":"authentication","user_id":"\#(user)","device_id":"\#(device)""#)),
        \(event(3, #""type":"link_click","click_id":"\#(click)","device_id":"\#(device)","url":"https://shop.example/?x=1""#)),
        \(event(4, #""type":"conversion","user_id":"\#(user)","name":"buy","value":"1.5","currency":"USD","properties":{"a":null}"#)),
        \(event(5, #""type":"conversion","user_id":"\#(user)""#)),
        \(event(6, #""type":"install","user_id":"bystander""#))]
        """
    private static let spooled = """
        [\(event(7, #""type":"conversion","user_id":"\#(user)","name":"later""#)),
        \(event(8, #""type":"conversion","user_id":"bystander","name":"later""#)),
        \(event(9, #""type":"conversion","user_id":"\#(user)""#))]
        """

    private func expectNone(of ids: [String], in setting: Setting, home: String) async throws {
        let dump = try await SecretsSearch.dump(setting.database).text
        #expect(dump.contains("bystander"))
        for id in ids { #expect(!dump.contains(id), "\(id) is left in the database") }
        let patterns = ids.flatMap { SecretsSearch.patterns(for: $0) }
        let findings = try SecretsSearch.findings(of: patterns, in: "\(setting.folder)/\(home)/spool")
        #expect(findings.isEmpty)
    }

    @Test(.timeLimit(.minutes(30)))
    func areShownExportedAndDeleted() async throws {
        try await withSetting { setting in
            // Stored events, events in the spool of a daemon that has ended, and a copy of that spool elsewhere.
            try await RunningDaemon.with(database: setting.database, environment: setting.environment("home")) {
                daemon in
                #expect(try await daemon.post("/v1/events", key: setting.write, Self.stored).status == 200)
                try await setting.cluster.stop()
                #expect(try await daemon.post("/v1/events", key: setting.write, Self.spooled).status == 202)
                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
            }
            _ = try await setting.cluster.start()
            for copy in ["elsewhere", "deleted"] {
                try FileManager.default.createDirectory(
                    atPath: "\(setting.folder)/\(copy)",
                    withIntermediateDirectories: true
                )
                try FileManager.default.copyItem(
                    atPath: "\(setting.folder)/home/spool",
                    toPath: "\(setting.folder)/\(copy)/spool"
                )
            }

            let shown = try await setting.json(["person", "show", "--app", "shop", "--click", Self.click])
            #expect(shown["user_ids"]?.elements.map(\.string) == [Self.user])
            #expect(shown["device_ids"]?.elements.map(\.string) == [Self.device])
            #expect(shown["events"]?.number == "4")
            #expect(shown["rejected_events"]?.number == "2")
            #expect(shown["spooled_events"]?.number == "1")
            #expect(shown["touches"]?.count == 1)
            let table = try await setting.tributary(["person", "show", "--app", "shop", "--user", Self.user])
            #expect(table.output.contains("conversion      1\n"))

            try await expectExport(setting)

            let asked = try await setting.tributary(["person", "delete", "--app", "shop", "--user", Self.user])
            #expect(asked.status == 64)
            #expect(asked.errors.contains("--yes"))
            #expect(try await setting.count("select count(*) from event") == 5)
            let receipt = try await setting.json([
                "person", "delete", "--app", "shop", "--device", Self.device, "--yes",
            ])
            #expect(receipt["event"]?.number == "4")
            #expect(receipt["spooled_event"]?.number == "1")
            #expect(receipt["spooled_rejected_event"]?.number == "1")
            #expect(receipt["rejected_event"]?.number == "1")
            let ids = [Self.user, Self.device, Self.click]
            try await expectNone(of: ids, in: setting, home: "home")

            // The spool elsewhere is delivered, but does not bring the person back.
            let elsewhere = setting.environment("elsewhere")
            try await RunningDaemon.with(database: setting.database, environment: elsewhere) { daemon in
                try await daemon.waitUntilDelivered()
                let metrics = try await daemon.send("GET", "/metrics").body
                #expect(metrics.contains("\ntributary_store_erased_total 1\n"))
                #expect(try await setting.count("select count(*) from event") == 2)
                try await expectNone(of: ids, in: setting, home: "elsewhere")
                // An event that is sent again is not stored. A new event belongs to a new person.
                let again = try await daemon.post("/v1/events", key: setting.write, Self.stored)
                #expect(again.body.contains(#""duplicates":5"#))
                let new = Self.event(20, #""type":"install","user_id":"\#(Self.user)""#)
                #expect(try await daemon.post("/v1/events", key: setting.write, new).body.contains(#""accepted":1"#))
            }
            let newcomer = try await setting.json(["person", "show", "--app", "shop", "--user", Self.user])
            #expect(newcomer["events"]?.number == "1")
            #expect(newcomer["device_ids"]?.count == 0)

            try await expectAppDeletion(setting)
        }
    }

    private func expectExport(_ setting: Setting) async throws {
        let path = "\(setting.folder)/person.ndjson"
        let outcome = try await setting.tributary([
            "person", "export", "--app", "shop", "--user", Self.user, "--output", path,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "")
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONDocument(reading: $0.utf8).root }
        let records = lines.compactMap { $0["record"]?.string }
        #expect(
            records
                == ["person", "event", "event", "event", "event", "rejected_event", "spooled_event", "rejected_event"]
        )
        #expect(lines.contains { $0["properties"]?["a"]?.kind == .null })
        #expect(!text.contains("bystander"))
        let folder = try FileManager.default.contentsOfDirectory(atPath: setting.folder)
        #expect(!folder.contains { $0.hasSuffix(".partial") })
        // If the folder does not exist, nothing is left.
        let nowhere = try await setting.tributary([
            "person", "export", "--app", "shop", "--user", Self.user, "--output", "\(setting.folder)/none/x",
        ])
        #expect(nowhere.status == 64)
        #expect(nowhere.errors.contains("--output"))
        let printed = try await setting.tributary(["person", "export", "--app", "shop", "--user", Self.user])
        #expect(printed.output == text)
    }

    private func expectAppDeletion(_ setting: Setting) async throws {
        try await RunningDaemon.with(database: setting.database, environment: setting.environment("home")) { daemon in
            let event = #"{"type":"install","user_id":"bystander"}"#
            #expect(try await daemon.post("/v1/events", key: setting.write, event).status == 200)
            let receipt = try await setting.json(["app", "delete", "shop", "--yes"])
            #expect(receipt["kind"]?.string == "app")
            #expect(receipt["api_key"]?.number == "2")
            try await daemon.wait(for: "the refusal of the key") {
                let status = try await daemon.post("/v1/events", key: setting.write, event).status
                #expect([200, 401].contains(status))
                return status == 401
            }
        }
        // The courier drops events that wait for the deleted app, and continues.
        let deleted = setting.environment("deleted")
        try await RunningDaemon.with(database: setting.database, environment: deleted) { daemon in
            try await daemon.waitUntilDelivered()
            let metrics = try await daemon.send("GET", "/metrics").body
            #expect(metrics.contains("\ntributary_store_erased_total 2\n"))
        }
        #expect(try await setting.count("select count(*) from event") == 0)
        #expect(try await setting.count("select count(*) from rejected_event") == 0)
        let receipts = try await setting.tributary(["receipts", "--app", "shop"])
        #expect(receipts.output.contains("kind: app\n"))
        #expect(receipts.output.contains("kind: person\n"))
        #expect(!receipts.output.contains("Erasable7"))
    }

    @Test(.timeLimit(.minutes(30)))
    func goWithTheRetention() async throws {
        try await withSetting { setting in
            let day = 86_400.0
            let lines = [100.0, 50, 1].enumerated().map { number, days in
                let time = Date(timeIntervalSinceNow: -days * day).ISO8601Format()
                return Self.event(number + 1, #""type":"install","user_id":"u\#(number)","occurred_at":"\#(time)""#)
            }
            let imported = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: setting.database,
                input: lines.joined(separator: "\n"),
                environment: setting.environment("home")
            )
            #expect(imported.status == 0, "\(imported.errors)")

            let plan = try await setting.json(["prune", "--dry-run", "--older-than", "75d"])
            #expect(plan["event"]?.number == "1")
            #expect(try await setting.count("select count(*) from event") == 3)
            let asked = try await setting.tributary(["prune", "--older-than", "75d"])
            #expect(asked.status == 64)
            let pruned = try await setting.json(["prune", "--older-than", "75d", "--yes"])
            #expect(pruned["event"]?.number == "1")
            #expect(try await setting.count("select count(*) from event") == 2)

            // The daemon does it in the background too.
            let environment = setting.environment(
                "home",
                ["TRIBUTARY_RETENTION_DAYS": "30", "TRIBUTARY_RETENTION_INTERVAL": "1"]
            )
            try await RunningDaemon.with(database: setting.database, environment: environment) { daemon in
                // Events are deleted first, and the receipt is written last.
                while try await setting.count("select count(*) from deletion_receipt") < 2, daemon.isRunning {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(daemon.isRunning)
            }
            #expect(try await setting.count("select count(*) from event") == 1)
            let receipts = try await setting.tributary(["receipts", "--format", "json"])
            #expect(try JSONDocument(reading: receipts.output.utf8).root.count == 2)
        }
    }

    private static let mistakes: [([String], String)] = [
        (["person", "show", "--app", "shop"], "--user"),
        (["person", "show", "--app", "shop", "--user", "a", "--click", "b"], "one of"),
        (["person", "delete", "--app", "shop", "--user", "", "--yes"], "--user is empty"),
        (["person", "show", "--app", "shp", "--user", "a"], "did you mean 'shop'"),
        (["person", "shw"], "did you mean 'show'"),
        (["prune", "--older-than", "12h"], "from 1d to 36500d"),
        (["prune", "--older-than", "9999999999d", "--dry-run"], "from 1d to 36500d"),
        (["prune", "--dry-run", "--database", " "], "--database names no database"),
        (["prune", "--older-than", "soon"], "duration"),
        (["prune", "--app", "shp", "--dry-run"], "did you mean 'shop'"),
        (["receipts", "--limit", "0"], "--limit"),
        (["app", "delete", "shop"], "--yes"),
    ]

    @Test func needRightUsage() async throws {
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            try await Programs.expectUsageErrors(Self.mistakes, database: database.address)
        }
    }
}
