import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Packing again, on the command line")
struct RebuildTests {
    @Test func findsAndMendsWhomDevicesStandFor() async throws {
        try await TestDatabases.withSchema { database in
            let app = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try #require(try JSONDocument(reading: app.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                let event = #"{"type":"install","user_id":"ann","device_id":"phone"}"#
                let answer = try await daemon.post("/v1/events", key: key, event)
                #expect(answer.status == 200)
            }
            func rebuild(_ options: [String] = []) async throws -> (status: Int32, output: String) {
                let outcome = try await Programs.tributary(["rebuild"] + options, database: database.address)
                return (outcome.status, outcome.output)
            }
            #expect(try await rebuild().status == 0)
            #expect(try await rebuild(["--check"]).status == 0)
            try await database.pool.withConnection { try $0.executeScript("delete from device_link") }
            let found = try await rebuild(["--check"])
            #expect(found.status == 65)
            #expect(found.output.contains("shop: wrong links: 1 devices, 0 clicks"), "\(found.output)")
            #expect(found.output.contains("people match"), "\(found.output)")
            let rebuilt = try await rebuild()
            #expect(rebuilt.output.contains("links corrected: 1 devices, 0 clicks"), "\(rebuilt.output)")
            let mended = try await rebuild(["--check"])
            #expect(mended.status == 0, "\(mended.output)")
        }
    }
}
