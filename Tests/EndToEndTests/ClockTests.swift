import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// A database whose clock the test sets: a function of its own hides PostgreSQL's.
@Suite("Clocks that differ")
struct ClockTests {
    private func withDatabase(_ body: @Sendable (PostgresAddress, _ write: String) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try JSONDocument(reading: outcome.output.utf8).root["write_key"]?.string
            try await setClock(of: database.address, ahead: "3 days 30 minutes")
            // Sessions name their own path; what the address names counts more.
            let path = " options='-c search_path=public,pg_catalog'"
            try await body(try PostgresAddress(database.address.keywords + path), try #require(key))
        }
    }

    private func setClock(of database: PostgresAddress, ahead interval: String) async throws {
        let connection = try await PostgresConnection.connect(to: database)
        try await connection.run { connection in
            try connection.executeScript(
                """
                create or replace function public.clock_timestamp() returns timestamptz language sql volatile as
                $$ select pg_catalog.clock_timestamp() + interval '\(interval)' $$;
                """
            )
        }
        await connection.close()
    }

    @Test func keepTheDaemonFromDatingEvents() async throws {
        try await withDatabase { database, key in
            try await RunningDaemon.with(database: database) { daemon in
                let event = #"{"type":"install","user_id":"u","event_id":"00000000-0000-4000-8000-000000000001"}"#
                try await daemon.wait(for: "the comparison of clocks") {
                    try await daemon.send("GET", "/readyz").status == 503
                }
                let readiness = try await daemon.send("GET", "/readyz").body
                #expect(readiness.contains("the clock of this machine is -3 days 0 h"), "\(readiness)")
                let answer = try await daemon.post("/v1/events", key: key, event)
                #expect(answer.status == 503)
                #expect(answer.body.contains(#""code":"clock_untrusted""#))
                #expect(answer.headers.contains { $0.name.lowercased() == "retry-after" })
                #expect(try await daemon.send("GET", "/healthz").status == 200)
                let metrics = try await daemon.send("GET", "/metrics").body
                #expect(metrics.contains("\ntributary_clock_trusted 0\n"))
                #expect(metrics.contains("\ntributary_clock_skew_seconds -26"), "\(metrics)")
                #expect(
                    daemon.logText.contains(" error this machine's clock and the database's differ; events are ref")
                )

                try await setClock(of: database, ahead: "1 second")
                try await daemon.wait(for: "the next comparison") {
                    try await daemon.send("GET", "/readyz").status == 200
                }
                #expect(try await daemon.post("/v1/events", key: key, event).status == 200)
                #expect(daemon.logText.contains(" notice the database's clock agrees now, so it was wrong before;"))
                let later = try await daemon.send("GET", "/metrics").body
                #expect(later.contains("\ntributary_clock_trusted 1\n"))
            }
        }
    }

    @Test(arguments: [["import", "--app", "shop", "-"], ["prune", "--yes"]])
    func keepTheCommandLineFromDatingEvents(arguments: [String]) async throws {
        try await withDatabase { database, _ in
            let outcome = try await Programs.tributary(
                arguments,
                database: database,
                input: #"{"type":"install","user_id":"u"}"# + "\n"
            )
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains(" s ahead of this machine's, and events are dated by a clock"))
        }
    }
}
