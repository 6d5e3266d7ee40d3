import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// What a client that goes away leaves behind in the daemon and in the database: nothing.
@Suite("Clients that go away, end to end")
struct DepartureTests {
    private static let range = "from=2026-11-01&to=2026-11-02"

    /// Counts what the daemon's connections for reports do, by a condition on `pg_stat_activity`.
    private static func reading(_ condition: String, in database: TestDatabase) async throws -> Int {
        try await database.pool.withConnection { connection in
            try connection.query(
                """
                select count(*)
                from pg_stat_activity
                where datname = current_database() and application_name = 'tributaryd' and \(condition)
                """
            )[0].int(0)
        }
    }

    /// Asks more often than an app has places for reports, over HTTP and as the dashboard.
    @Test(arguments: ["/v1/reports/channels?", "/v1/reports/channels?format=csv&", "/csv/channels.csv?", "/?"])
    func leaveNeitherPlacesNorStatements(path: String) async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let (write, read) = (try #require(keys["write_key"]?.string), try #require(keys["read_key"]?.string))
            try await RunningDaemon.with(database: database.address, environment: Programs.longRetention) { daemon in
                let event = #"{"type":"app_open","user_id":"u","occurred_at":"2026-11-01T09:00:00Z"}"#
                let stored = try await daemon.post("/v1/events", key: write, event)
                #expect(stored.status == 200, "\(stored.body)")
                let signedIn = try await daemon.send(
                    "POST",
                    "/sign-in",
                    type: "application/x-www-form-urlencoded",
                    body: Array("key=\(read)&then=%2Flive".utf8),
                    followsRedirects: false
                )
                let cookie = try #require(signedIn.headers.first(name: "set-cookie")).prefix { $0 != ";" }
                // A page has a last day, a report the day after.
                let range = path == "/?" ? "from=2026-11-01&through=2026-11-01" : Self.range
                let request =
                    "GET \(path)\(range) HTTP/1.1\r\nHost: h\r\n"
                    + (path.hasPrefix("/v1/") ? "Authorization: Bearer \(read)\r\n\r\n" : "Cookie: \(cookie)\r\n\r\n")

                let blocker = try await PostgresConnection.connect(
                    to: database.address,
                    options: PostgresOptions(idleInTransactionTimeout: nil)
                )
                try await blocker.run { try $0.executeScript("begin; lock table event in access exclusive mode") }
                for _ in 0..<5 {
                    let connection = try SocketConnection(to: daemon.baseURL)
                    connection.send(request.utf8)
                    try await daemon.wait(for: "the report's statement") {
                        try await Self.reading("wait_event_type = 'Lock'", in: database) > 0
                    }
                    // All that a client's end says to the daemon.
                    connection.finishSending()
                    try await daemon.wait(for: "the end of the report's statements") {
                        try await Self.reading("(state <> 'idle' or wait_event_type = 'Lock')", in: database) == 0
                    }
                }
                let route = path.hasPrefix("/v1/") ? "/v1/reports/{name}" : "none"
                try await daemon.wait(for: "free places") {
                    let metrics = try await daemon.send("GET", "/metrics").body
                    return metrics.contains("\ntributary_reports_in_flight 0\n")
                        && metrics.contains("\ntributary_http_requests_total{route=\"\(route)\",status=\"499\"} 5\n")
                }
                try await blocker.run { try $0.executeScript("commit") }
                await blocker.close()
                let answer = try await daemon.send("GET", "/v1/reports/channels?\(Self.range)", key: read)
                #expect(answer.status == 200, "\(answer.body)")
            }
        }
    }
}
