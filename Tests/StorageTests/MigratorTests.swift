import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Migrations")
struct MigratorTests {
    private func withEmptyDatabase(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(template: "Empty", migrate: { _ in }, body)
    }

    @Test func applyOnce() async throws {
        try await withEmptyDatabase { database in
            let first = try await database.pool.withConnection { try Migrator().migrate($0) }
            let second = try await database.pool.withConnection { try Migrator().migrate($0) }
            #expect(!first.isEmpty)
            #expect(second.isEmpty)
        }
    }

    @Test func programsThatStartTogetherMigrateOnce() async throws {
        try await withEmptyDatabase { database in
            let applied = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await database.pool.withConnection { try Migrator().migrate($0) }.count }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(applied.sorted().dropLast() == [0, 0, 0])
        }
    }

    /// A migration may take longer than the connection's statement timeout, which holds again afterwards.
    @Test func areNotCutOff() async throws {
        try await withEmptyDatabase { database in
            let options = PostgresOptions(statementTimeout: .seconds(1))
            let pool = PostgresPool(address: database.address, size: 1, options: options)
            let limit = "current_setting('statement_timeout')"
            let migration = Migrator.Migration(name: "0001_a", text: "create table noted as select \(limit)")
            let applied = try await pool.withConnection { try Migrator(migrations: [migration]).migrate($0) }
            #expect(applied == ["0001_a"])
            let limits = try await pool.withConnection { connection in
                try ["noted", "(select \(limit) as current_setting) as now"].map {
                    try connection.query("select current_setting from \($0)")[0].text(0)
                }
            }
            #expect(limits == ["0", "1s"])
            await pool.close()
        }
    }

    /// A path that a role or a database sets leads to another schema, where nothing is.
    @Test func areNotAppliedAgainElsewhere() async throws {
        try await withEmptyDatabase { database in
            _ = try await database.pool.withConnection { try Migrator().migrate($0) }
            try await database.pool.withConnection { connection in
                let name = database.address.database
                try connection.executeScript("create schema other; alter database \(name) set search_path = other")
            }
            let pool = PostgresPool(address: database.address, size: 1)
            try await #expect(pool.withConnection { try Migrator().migrate($0) } == [])
            await pool.close()
        }
    }

    @Test func statusChangesNothing() async throws {
        try await withEmptyDatabase { database in
            let entries = try await database.pool.withConnection { try Migrator().status($0) }
            #expect(entries.allSatisfy { $0.state == .pending })
            let tables = try await database.pool.withConnection {
                try $0.query("select count(*) from pg_class where relnamespace = 'public'::regnamespace")[0].int(0)
            }
            #expect(tables == 0)
        }
    }

    @Test func refuseAnEditedMigration() async throws {
        try await withEmptyDatabase { database in
            let migration = Migrator.Migration(name: "0001_a", text: "create table a ()")
            let edited = Migrator.Migration(name: "0001_a", text: "create table a (b integer)")
            _ = try await database.pool.withConnection { try Migrator(migrations: [migration]).migrate($0) }
            await #expect(throws: MigrationError.self) {
                try await database.pool.withConnection { try Migrator(migrations: [edited]).migrate($0) }
            }
        }
    }

    /// Of a newer version, or made before the first release.
    @Test(arguments: ["9999_newer", "0001_create_apps"])
    func refuseADatabaseOfAnotherProgram(name: String) async throws {
        try await withEmptyDatabase { database in
            let other = Migrator.Migration(name: name, text: "create table other ()")
            _ = try await database.pool.withConnection { try Migrator(migrations: [other]).migrate($0) }
            let refusal = await #expect(throws: MigrationError.self) {
                try await database.pool.withConnection { try Migrator().migrate($0) }
            }
            #expect("\(refusal.map { "\($0)" } ?? "")".contains("migration \(name), which this program does not know"))
        }
    }

    /// What is in the way has a name that this program needs: a table, a type, a function, or its list of migrations.
    @Test(arguments: [
        ("table app (id integer)", "app"), ("type key_scope as enum ('all')", "key_scope"),
        ("function transaction_horizon() returns bigint language sql as 'select 1::bigint'", "transaction_horizon"),
        ("table schema_migration (version text)", "schema_migration"),
    ])
    func refuseADatabaseWithTablesOfAnotherProgram(made: String, name: String) async throws {
        try await withEmptyDatabase { database in
            try await database.pool.withConnection { try $0.executeScript("create \(made)") }
            let refusal = await #expect(throws: MigrationError.self) {
                try await database.pool.withConnection { try Migrator().migrate($0) }
            }
            let words = "\(refusal.map { "\($0)" } ?? "")"
            #expect(words.contains("tables of another program (") && words.contains(name), "\(words)")
            let own = try await database.pool.withConnection { connection in
                try connection.query("select to_regclass('schema_migration') is not null")[0].bool(0)
            }
            #expect(own == (name == "schema_migration"))
        }
    }

    @Test func aFailedMigrationLeavesNothing() async throws {
        try await withEmptyDatabase { database in
            let broken = Migrator.Migration(name: "0001_a", text: "create table a (); select 1 / 0")
            await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { try Migrator(migrations: [broken]).migrate($0) }
            }
            let entries = try await database.pool.withConnection { try Migrator(migrations: [broken]).status($0) }
            #expect(entries.map(\.state) == [.pending])
        }
    }

    /// The session ends in the middle of a migration, as after a kill. The next run goes on there.
    @Test func goOnAfterAKill() async throws {
        try await withEmptyDatabase { database in
            let content = "insert into a select n from generate_series(1, 1000) as n"
            let first = Migrator.Migration(name: "0001_a", text: "create table a (b integer); \(content)")
            let second = "alter table a add column c integer; update a set c = b"
            let killed = Migrator.Migration(
                name: "0002_b",
                text: "\(second); select pg_terminate_backend(pg_backend_pid())"
            )
            let whole = Migrator.Migration(name: "0002_b", text: second)
            let third = Migrator.Migration(name: "0003_c", text: "alter table a alter column c set not null")
            await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection {
                    try Migrator(migrations: [first, killed, third]).migrate($0)
                }
            }
            let rest = Migrator(migrations: [first, whole, third])
            let states = try await database.pool.withConnection { try rest.status($0) }.map(\.state)
            #expect(states == [.applied, .pending, .pending])
            #expect(try await database.pool.withConnection { try rest.migrate($0) } == ["0002_b", "0003_c"])
            let same = try await database.pool.withConnection {
                try $0.query("select count(*) from a where b = c")[0].int(0)
            }
            #expect(same == 1_000)
        }
    }

    /// If no migration is missing, a role that may not create tables can run the programs. Otherwise the error says
    /// what to do.
    @Test func needNoRightsWhereNothingIsMissing() async throws {
        try await withEmptyDatabase { database in
            let role = "tributary_migrator_test_\(UInt32.random(in: 0 ... .max))"
            let first = Migrator.Migration(name: "0001_a", text: "create table a ()")
            let second = Migrator.Migration(name: "0002_b", text: "alter table a add column b integer")
            try await database.pool.withConnection { connection in
                _ = try Migrator(migrations: [first]).migrate(connection)
                try connection.execute("create role \(role)")
                try connection.execute("grant select on schema_migration to \(role)")
            }
            try await database.pool.withConnection { connection in
                try connection.execute("set role \(role)")
                defer { _ = try? connection.execute("reset role") }
                #expect(try Migrator(migrations: [first]).migrate(connection) == [])
                let refusal = #expect(throws: MigrationError.self) {
                    try Migrator(migrations: [first, second]).migrate(connection)
                }
                #expect("\(refusal.map { "\($0)" } ?? "")".contains("migration 0002_b, which this role may not apply"))
            }
            try await database.pool.withConnection { connection in
                try connection.execute("drop owned by \(role)")
                try connection.execute("drop role \(role)")
            }
        }
    }

    /// Functions that write with the owner's rights are only for roles to which `grants.sql` gives them.
    @Test func leaveFunctionsThatWriteToThoseWhoStore() async throws {
        try await withEmptyDatabase { database in
            let role = "tributary_reads_\(UInt32.random(in: 0 ... .max))"
            try await database.pool.withConnection { connection in
                _ = try Migrator().migrate(connection)
                try connection.execute("create role \(role)")
                try connection.execute("grant select, insert on event to \(role)")
                let functions = try connection.query(
                    """
                    select proname
                    from pg_proc
                    where prosecdef and has_function_privilege($1, oid, 'execute')
                    order by proname
                    """,
                    [.text(role)]
                ).map { try $0.text(0) }
                #expect(functions == ["transaction_horizon"])
                try connection.execute("drop owned by \(role)")
                try connection.execute("drop role \(role)")
            }
        }
    }
}
