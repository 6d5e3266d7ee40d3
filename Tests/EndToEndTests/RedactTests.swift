import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Redaction of old data, on the command line")
struct RedactTests {
    private static let token = "EAABsbCS1iHgBAKq0123456789"

    @Test func findsAndRedactsWhatAnEarlierVersionStored() async throws {
        try await TestDatabases.withSchema { database in
            let app = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try #require(try JSONDocument(reading: app.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                let event =
                    #"{"type":"link_click","url":"https://a.example/?fb_ref=r","occurred_at":"2026-11-02T00:00:00Z"}"#
                #expect(try await daemon.post("/v1/events", key: key, event).status == 200)
                let rejected = try await daemon.post("/v1/events", key: key, #"{"type":"install","user_id":"null"}"#)
                #expect(rejected.status == 422)
            }
            try await database.pool.withConnection { connection in
                try connection.execute(
                    "update event set url = url || '&long_lived_token=' || $1::text",
                    [.text(Self.token)]
                )
                try connection.execute("update event set refs = array[$1::text]", [.text(Self.token)])
            }
            func redact(_ options: [String] = []) async throws -> String {
                let outcome = try await Programs.tributary(["redact"] + options, database: database.address)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(!(outcome.output + outcome.errors).contains(Self.token))
                return outcome.output
            }
            let found = """
                2026-11  event.refs  1
                2026-11  event.url  1

                """
            #expect(try await redact(["--dry-run"]) == found + "2 values to redact; nothing was changed\n")
            #expect(
                try await redact(["--app", "shop", "--format", "json"])
                    == #"{"dry_run":false,"values":2,"findings":[{"table":"event","column":"refs","month":"2026-11","values":1},{"table":"event","column":"url","month":"2026-11","values":1}],"rebuilt_apps":["shop"]}"#
                    + "\n"
            )
            #expect(try await redact() == "0 values redacted\n")
            let export = try await Programs.tributary(
                [
                    "export", "events", "--app", "shop", "--from", "2026-11-01", "--to", "2026-12-01", "--format",
                    "ndjson",
                ],
                database: database.address
            )
            #expect(export.output.contains("long_lived_token=REDACTED"))
            let refs = try await Programs.tributary(
                ["report", "refs", "--app", "shop", "--from", "2026-11-01", "--to", "2026-12-01", "--format", "csv"],
                database: database.address
            )
            #expect(refs.output.contains("REDACTED,0,0,"), "\(refs.output)")
            #expect(try await Programs.tributary(["redact", "--app", "none"], database: database.address).status == 64)
        }
    }
}
