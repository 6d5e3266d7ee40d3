import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing

@Suite("The SQL of a report")
struct SQLScriptTests {
    @Test func runsAsAScript() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            for sample in CatalogueSample.all {
                let script = try sample.request(of: Asking.app()).sqlScript
                let isLeftOpen = try await database.pool.withConnection { connection in
                    try connection.executeScript(script)
                    return connection.isInTransaction
                }
                #expect(!isLeftOpen, "\(sample)")
            }
        }
    }

    @Test func namesItsParameters() throws {
        let script = try Asking.request("refs", ["from": "2026-01-10", "to": "2026-02-01", "lookback": "2d"]).sqlScript
        #expect(script.contains("app_number = '1'::integer"))
        #expect(script.contains("occurred_at >= '2026-01-08T00:00:00Z'::timestamptz"))
        #expect(script.contains("occurred_at >= '2026-01-10T00:00:00Z'::timestamptz"))
        #expect(script.contains("occurred_at <= '2026-02-01T00:00:00Z'::timestamptz"))
        #expect(script.contains("type = any ('{inbound_link,feed_post,link_click,install,conversion}'::event_type[])"))
        #expect(!script.contains("current_setting('tributary."))
    }
}
