import Foundation
import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Statements of a script")
struct SQLStatementsTests {
    @Test(
        arguments: [
            ("", []), (" ;; -- only; a comment\n/* ; */ ;", []), ("select 1", ["select 1"]),
            ("select 1;\nselect 2 ;", ["select 1", "\nselect 2 "]),
            ("select ';', 'it''s;'; select \";\"", ["select ';', 'it''s;'", " select \";\""]),
            ("select e'\\';', E'\\\\'; select 2", ["select e'\\';', E'\\\\'", " select 2"]),
            ("-- a; b\nselect 1 /* ; /* ; */ ; */; select 2", ["-- a; b\nselect 1 /* ; /* ; */ ; */", " select 2"]),
            ("do $$ a; b $$; do $x$ $$; $x$;", ["do $$ a; b $$", " do $x$ $$; $x$"]),
            ("select $1; select a$b; select é$é", ["select $1", " select a$b", " select é$é"]),
            ("select 'open; ", ["select 'open; "]),
        ] as [(String, [String])]
    )
    func areSplitWherePostgresDoes(script: String, statements: [String]) {
        #expect(SQLStatements(script).all == statements)
    }

    /// One by one, they make the schema that all at once make.
    @Test func ofMigrationsAreWhole() async throws {
        func schema(_ migrate: @escaping @Sendable (TestDatabase) async throws -> Void) async throws -> [String] {
            try await TestDatabases.withDatabase(template: "Empty", migrate: { _ in }) { database in
                try await migrate(database)
                return try await database.pool.withConnection { connection in
                    try connection.query(
                        """
                        select table_name || '.' || column_name || ' ' || data_type
                        from information_schema.columns where table_schema = 'public'
                        union all select indexdef from pg_indexes where schemaname = 'public'
                        union all select pg_get_functiondef(oid) from pg_proc
                        where pronamespace = 'public'::regnamespace
                        order by 1
                        """
                    ).map { try $0.text(0) }
                }
            }
        }
        let whole = try await schema { database in
            try await database.pool.withConnection { connection in
                for migration in Migrator.all { try connection.executeScript(migration.text) }
            }
        }
        let split = try await schema { database in
            try await database.pool.withConnection { connection in
                for migration in Migrator.all {
                    for statement in SQLStatements(migration.text).all { try connection.executeScript(statement) }
                }
            }
        }
        #expect(split == whole && whole.count > 100)
    }

    /// Citus changes no distributed table by a clock within `case` or `coalesce`: each node might read another time.
    @Test func changeNothingByAClockOfEachNode() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../sql").standardized
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var changes = 0
        for path in paths where path.hasSuffix(".sql") && !path.hasPrefix("migrations/") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            guard text.contains(#/(^|\n)(update|insert|delete|merge) /#) else { continue }
            changes += 1
            #expect(!text.contains(#/\b(case|coalesce)\b[^;\n]*\b(now|clock_timestamp)\(\)/#), "\(path)")
        }
        #expect(changes > 50)
    }
}
