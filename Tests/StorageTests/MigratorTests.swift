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

    @Test func refuseADatabaseOfANewerProgram() async throws {
        try await withEmptyDatabase { database in
            let newer = Migrator.Migration(name: "9999_newer", text: "create table newer ()")
            _ = try await database.pool.withConnection { try Migrator(migrations: [newer]).migrate($0) }
            await #expect(throws: MigrationError.self) {
                try await database.pool.withConnection { try Migrator(migrations: []).migrate($0) }
            }
        }
    }

    @Test func aFailedMigrationLeavesNothing() async throws {
        try await withEmptyDatabase { database in
            let broken = Migrator.Migration(name: "0001_a", text: "create table a (); create table a ()")
            await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { try Migrator(migrations: [broken]).migrate($0) }
            }
            let entries = try await database.pool.withConnection { try Migrator(migrations: [broken]).status($0) }
            #expect(entries.map(\.state) == [.pending])
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

    /// Functions that write with the owner's rights are only for roles that store events, or could before the
    /// migration.
    @Test func leaveFunctionsThatWriteToThoseWhoStore() async throws {
        try await withEmptyDatabase { database in
            let suffix = UInt32.random(in: 0 ... .max)
            let (writer, reader) = ("tributary_writes_\(suffix)", "tributary_reads_\(suffix)")
            try await database.pool.withConnection { connection in
                let before = StoredSQL.migrations.filter { $0.name < "0012" }
                    .map { Migrator.Migration(name: $0.name, text: $0.text) }
                _ = try Migrator(migrations: before).migrate(connection)
                for role in [writer, reader] {
                    try connection.execute("create role \(role)")
                    try connection.execute("grant select on event to \(role)")
                }
                try connection.execute("grant insert on event to \(writer)")
                #expect(try Migrator().migrate(connection).contains { $0.hasPrefix("0012") })
                func functions(of role: String, _ connection: isolated PostgresConnection) throws -> [String] {
                    try connection.query(
                        """
                        select proname
                        from pg_proc
                        where prosecdef and has_function_privilege($1, oid, 'execute')
                        order by proname
                        """,
                        [.text(role)]
                    ).map { try $0.text(0) }
                }
                #expect(try functions(of: reader, connection) == ["transaction_horizon"])
                #expect(
                    try functions(of: writer, connection) == [
                        "current_transaction_number", "ensure_event_partition", "summarize_events",
                        "transaction_horizon",
                    ]
                )
                for role in [writer, reader] {
                    try connection.execute("drop owned by \(role)")
                    try connection.execute("drop role \(role)")
                }
            }
        }
    }
}
