import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing

@Suite("The SQL of a report")
struct SQLScriptTests {
    @Test func runsAsAScript() async throws {
        try await TestDatabases.withDatabase(
            migrate: { pool in _ = try await pool.withConnection { try Migrator().migrate($0) } }
        ) { database in
            for name in ReportCatalogue.names where name != "compare" {
                let script = try Asking.request(name).sqlScript
                let isLeftOpen = try await database.pool.withConnection { connection in
                    try connection.executeScript(script)
                    return connection.isInTransaction
                }
                #expect(!isLeftOpen, "\(name)")
            }
        }
    }

    @Test func namesItsParameters() throws {
        let script = try Asking.request("refs", ["from": "2026-01-10", "to": "2026-02-01", "lookback": "2d"]).sqlScript
        #expect(script.contains("set local tributary.app_number = '1';"))
        #expect(script.contains("set local tributary.touches_from = '2026-01-08T00:00:00Z';"))
        #expect(script.contains("set local tributary.events_from = '2026-01-10T00:00:00Z';"))
        #expect(script.contains("set local tributary.through = '2026-02-01T00:00:00Z';"))
        #expect(script.contains("set local tributary.needs_refs = 'true';"))
        #expect(
            script.contains("set local tributary.types = '{inbound_link,feed_post,link_click,install,conversion}';")
        )
    }
}
