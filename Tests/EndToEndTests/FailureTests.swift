import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

@Suite("Unforeseen failures, end to end")
struct FailureTests {
    /// A table that is gone, a right that a role lacks or a fault of the program is not an unavailable database.
    @Test func are500WithALineInTheLog() async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try #require(try JSONDocument(reading: made.output.utf8).root["read_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                #expect(try await daemon.send("GET", "/v1/questions", key: key).status == 200)
                try await database.pool.withConnection { _ = try $0.execute("alter table question rename to former") }
                for _ in 0..<2 {
                    let answer = try await daemon.send("GET", "/v1/questions", key: key)
                    #expect(answer.status == 500 && answer.body.contains(#""code":"internal""#), "\(answer.body)")
                    #expect(answer.headers["retry-after"].isEmpty)
                }
                let answer = try await daemon.send("GET", "/readyz")
                #expect(answer.status == 200 && answer.body.contains(#""database":"present""#))
                let lines = daemon.logText.split(separator: "\n").filter { $0.contains("a request failed") }
                #expect(lines.count == 1)
                #expect(lines.first?.contains("42P01") == true && lines.first?.contains("hb.request.id=") == true)
                #expect(!daemon.logText.contains("unavailable"))
            }
        }
    }
}
