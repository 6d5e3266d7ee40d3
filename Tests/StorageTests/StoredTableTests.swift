import Postgres
@testable import Storage
import Testing

/// **Have you added a table?** Say in `StoredTable.all` how its rows are deleted: with their person, with their app, or
/// never, because they say nothing about either; and how they move with their app to another database.
@Suite("Tables that deletion knows")
struct StoredTableTests {
    @Test func areAllThatThereAre() async throws {
        try await StorageTesting.with { base in
            try await base.store([StorageTesting.event(1, user: "u")])
            let tables = try await base.texts(
                """
                select table_name::text
                from information_schema.tables
                where table_type = 'BASE TABLE'
                    and table_schema not in ('pg_catalog', 'information_schema')
                    and table_schema not like 'pg_temp%'
                    and table_name::text not in (
                        select inhrelid::regclass::text from pg_inherits where inhparent = 'event'::regclass
                    )
                order by table_name
                """
            )
            #expect(tables == StoredTable.all.map(\.name).sorted(), "see StoredTable.all")
        }
    }

    @Test func goWithTheirAppByItsNumber() async throws {
        try await StorageTesting.with { base in
            let withApp = try await base.texts(
                """
                select table_name::text
                from information_schema.columns
                where column_name = 'app_number' and table_schema = current_schema() and is_nullable = 'NO'
                """
            )
            for table in StoredTable.all {
                // These tables name the apps that are not here any more, or not yet.
                let others = ["deleted_app", "app_departure", "app_arrival", "app_origin"]
                let isOfAnApp = withApp.contains(table.name) && !others.contains(table.name)
                #expect(table.isOfAnApp == isOfAnApp, "\(table.name)")
            }
        }
    }

    /// The statements of derived tables must run.
    @Test func areClearedByStatementsThatRun() async throws {
        try await StorageTesting.with { base in
            try await base.pool.withConnection { connection in
                for table in StoredTable.all {
                    guard case .derived(let erase, let expire) = table.content else { continue }
                    try connection.execute(erase, [.int(1), .textArray([]), .textArray([])])
                    try connection.execute(expire, [.timestamp(microseconds: 0), .null])
                    try connection.execute(expire, [.timestamp(microseconds: 0), .int(1)])
                }
            }
        }
    }
}
