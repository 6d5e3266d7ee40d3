import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Views for BI tools")
struct BIViewsTests {
    private func withEmptyDatabase(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(template: "Empty", migrate: { _ in }, body)
    }

    @Test func areAllThatTheirRoleMayRead() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("shop")
            try await testing.store(RandomStream.make(seed: 1).events, of: app)
            try await testing.refresh(app)
            let relations = try await testing.texts(
                """
                select relnamespace::regnamespace::text, relname, relkind::text
                from pg_class
                where relkind in ('r', 'p', 'v', 'm')
                    and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
                """
            )
            #expect(relations.count { $0[0] == "bi" } == BIViews.names.count)
            try await testing.pool.withConnection { connection in
                try connection.execute("set role tributary_bi")
                for relation in relations {
                    let select = "select * from \(relation[0]).\(relation[1])"
                    if relation[0] == "bi" {
                        _ = try connection.query(select)
                    } else {
                        #expect(throws: PostgresError.self, "\(relation)") { _ = try connection.query(select) }
                    }
                    for statement in ["delete from \(relation[0]).\(relation[1])", "create table bi.mine ()"] {
                        #expect(throws: PostgresError.self, "\(statement)") { try connection.execute(statement) }
                    }
                }
                try connection.execute("reset role")
            }
        }
    }

    @Test func areDescribedColumnByColumn() async throws {
        try await FigureTesting.with { testing in
            let silent = try await testing.texts(
                """
                select relname, attname
                from pg_class
                join pg_attribute on attrelid = pg_class.oid
                where relnamespace = 'bi'::regnamespace
                    and attnum > 0
                    and (
                        col_description(pg_class.oid, attnum) is null
                        or obj_description(pg_class.oid, 'pg_class') is null
                    )
                """
            )
            #expect(silent.isEmpty)
            let numbers = try await testing.texts(
                "select table_name from information_schema.columns where table_schema = 'bi' and column_name = 'app_number'"
            )
            #expect(numbers.isEmpty)
        }
    }

    @Test(arguments: ["checksum = 'old', version = 0", "version = 0"])
    func areCreatedAgainIfTheirTextChanged(_ recorded: String) async throws {
        try await FigureTesting.with { testing in
            _ = try await testing.texts("update bi_views set \(recorded) returning version::text")
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    "drop view bi.apps; drop view bi.channels_by_day; create view bi.apps as select 1 as other"
                )
                #expect(try BIViews().finding(connection) == .outdated(advice: "Run tributary migrate."))
                _ = try Migrator().migrate(connection)
                #expect(try BIViews().finding(connection) == .ready)
            }
            #expect(try await testing.count("select count(*) from bi.apps where app_id = 'none'") == 0)
        }
    }

    @Test func ofANewerProgramAreLeftAlone() async throws {
        try await FigureTesting.with { testing in
            _ = try await testing.texts("update bi_views set checksum = 'new', version = 99 returning version::text")
            try await testing.pool.withConnection { connection in
                try connection.executeScript("drop view bi.apps")
                _ = try Migrator().migrate(connection)
                #expect(try BIViews().finding(connection) == .newer)
            }
            #expect(try await testing.count("select count(*) from pg_views where viewname = 'apps'") == 0)
        }
    }

    /// Views that others built on ours stay, and so do ours.
    @Test func thatOthersBuiltOnStay() async throws {
        try await FigureTesting.with { testing in
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    "create view mine as select * from bi.apps; update bi_views set checksum = 'old', version = 0"
                )
                _ = try Migrator().migrate(connection)
                #expect(try BIViews().finding(connection) == .outdated(advice: "Run tributary migrate."))
                #expect(throws: PostgresError.self) { try BIViews().install(connection) }
                #expect(try connection.query("select * from mine").count == 0)
                _ = try connection.query("select * from bi.channels_by_day")
            }
        }
    }

    /// As in managed services: the migrating role may create neither schemas nor roles.
    @Test func needAnAdministratorWhereTheRoleMayNotMakeThem() async throws {
        try await withEmptyDatabase { database in
            try await database.pool.withConnection { connection in
                let role = "limited_\(try connection.query("select current_database()")[0].text(0))"
                try connection.executeScript(
                    "create role \(role); grant create on schema public to \(role); set role \(role)"
                )
                #expect(try !Migrator().migrate(connection).isEmpty)
                guard case .outdated(let advice) = try BIViews().finding(connection) else {
                    Issue.record("views were made without the right to make them")
                    return
                }
                #expect(advice.contains("create schema"))
                try connection.executeScript("reset role; create schema bi authorization \(role); set role \(role)")
                #expect(try Migrator().migrate(connection).isEmpty)
                _ = try connection.query("select * from bi.apps")
                // Whether the readers' role exists depends on other tests on this server.
                switch try BIViews().finding(connection) {
                case .ready, .roleIsMissing: break
                case .newer, .outdated: Issue.record("the views were not made")
                }
                try connection.executeScript("reset role; drop owned by \(role) cascade; drop role \(role)")
            }
        }
    }

    /// Of two versions of the program, only the newer one creates the views. If you change a view, raise
    /// `BIViews.version` and put the new checksums here. The second is of the finished texts, so it also tells a change
    /// in how templates are filled.
    @Test func haveAVersionOfTheirOwn() {
        #expect(BIViews.version == 10)
        #expect(BIViews.checksum == "e34da874dba9e308da0b664d19e1538f99cbfb2f2dc004c65d69393095540d5a")
        let finished = Migrator.Migration(name: "", text: BIViews.texts.joined()).checksum
        #expect(finished == "8d6d05affaf79f959040397d598da454c23488f4c5e1fb4268a53153fa2e8c51")
    }
}
