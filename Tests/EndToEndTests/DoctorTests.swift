import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("The doctor")
struct DoctorTests {
    @Test func findsAWorkingDatabaseGood() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let home = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)").path
            let environment = ["TRIBUTARY_HOME": home]
            let before = try await Programs.tributary(["doctor"], database: database.address, environment: environment)
            #expect(before.status == 69)
            #expect(before.output.contains("0001_create_schema is pending"))
            _ = try await Programs.tributary(["migrate"], database: database.address)
            let after = try await Programs.tributary(["doctor"], database: database.address, environment: environment)
            #expect(after.status == 0, "\(after.output)")
            for part in [
                "schema: up to date, 1 migration\n", "clocks: ", "spool: none yet", "disk of the spool: ", "no app yet",
            ] {
                #expect(after.output.contains(part), "\(part): \(after.output)")
            }
            #expect(!FileManager.default.fileExists(atPath: home))
        }
    }

    @Test(arguments: ["no address", "postgresql://localhost:99999/shop"])
    func endsWith64IfTheAddressCannotBeRead(address: String) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)").path
        let outcome = try await Programs.tributary(
            ["doctor", "--no-start", "--database", address],
            environment: ["TRIBUTARY_HOME": home]
        )
        #expect(outcome.status == 64)
        #expect(outcome.output.contains("the database address cannot be read") && !outcome.output.contains("running?"))
    }

    @Test func tellsOfMovesThatHaveNotEnded() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let home = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)").path
            _ = try await Programs.tributary(["migrate"], database: database.address)
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into app (app_id, name) values ('shop', 'Shop');
                    insert into app_departure (app_number, target, barred_at)
                    select app_number, gen_random_uuid(), now() from app;
                    insert into app_arrival (app_number, app_id, source, source_app_number)
                    values (99, 'game', gen_random_uuid(), 1)
                    """
                )
            }
            let outcome = try await Programs.tributary(
                ["doctor"],
                database: database.address,
                environment: ["TRIBUTARY_HOME": home]
            )
            #expect(outcome.status == 0, "\(outcome.output)")
            for part in ["app 'shop' is barred since", "'tributary app move shop --to URL'", "app 'game' comes from"] {
                #expect(outcome.output.contains(part), "\(part): \(outcome.output)")
            }
        }
    }

    /// Another program is moving the app, and has come further than this one.
    @Test func aMoveThatFailsSaysThatTheAppIsBarred() async throws {
        try await TestDatabases.withSchema { database in
            let other = try await PostgresConnection.connect(to: database.address)
            try await other.executeScript(
                """
                insert into app (app_id, name) values ('shop', 'Shop');
                select pg_advisory_lock(hashtextextended('tributary move', app_number)) from app
                """
            )
            let move = ["app", "move", "shop", "--to", database.address.keywords, "--yes"]
            for isBarred in [false, true] {
                if isBarred {
                    try await other.executeScript(
                        """
                        insert into app_departure (app_number, target, barred_at)
                        select app_number, gen_random_uuid(), now() from app
                        """
                    )
                }
                let outcome = try await Programs.tributary(move, database: database.address)
                #expect(outcome.status == 69)
                #expect(outcome.errors.contains("another program is moving this app"), "\(outcome.errors)")
                #expect(
                    outcome.errors.contains("'shop' is barred until its move ends") == isBarred,
                    "\(outcome.errors)"
                )
            }
            await other.close()
        }
    }

    @Test func tellsWhatWaitsInTheSpool() async throws {
        try await ClusterTemplate.with(named: "doctor") { cluster, home in
            let database = try await cluster.start()
            let app = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database
            )
            let key = try #require(try JSONDocument(reading: app.output.utf8).root["write_key"]?.string)
            let environment = ["TRIBUTARY_HOME": home]
            let event = #"{"type":"install","user_id":"u"}"#
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: key, event).status == 200)
                try await cluster.stop()
                #expect(try await daemon.post("/v1/events", key: key, event).status == 202)
                let outcome = try await Programs.tributary(["doctor"], database: database, environment: environment)
                #expect(outcome.status == 69)
                #expect(outcome.output.contains("spool: 1 event ("), "\(outcome.output)")
                #expect(outcome.output.contains("once it can store events again"))
            }
            let left = try await Programs.tributary(["doctor"], database: database, environment: environment)
            #expect(left.output.contains("No process has this file open"), "\(left.output)")
        }
    }
}
