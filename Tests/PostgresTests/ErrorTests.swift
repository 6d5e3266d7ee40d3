@testable import Postgres
import PostgresTesting
import Testing

@Suite struct ErrorTests {
    /// As a Citus coordinator passes on what a worker said.
    @Test(arguments: [
        ("XX000", "duplicate key value violates unique constraint \"event_key_pkey_102021\"", "23505"),
        ("XX000", "deadlock detected", "40P01"),
        ("XX000", "failure on connection marked as essential: 127.0.0.1:5432", "08006"),
        ("58030", "failed to COPY to shard 102008 on 127.0.0.1:5432", "08006"),
        ("XX000", "could not commit transaction for shard 102008 on at least one active node", "08007"),
        ("XX000", "SSL SYSCALL error: EOF detected", "08006"),
        ("58030", "could not read block 7 in file \"base/1\": read only 0 of 8192 bytes", "58030"),
        ("42P01", "deadlock detected", "42P01"),
        (nil, "deadlock detected", nil),
    ])
    func knowsTheStateOfAWorker(given: String?, message: String, state: String?) {
        #expect(PostgresError.sqlState(given, meaning: message) == state)
    }

    @Test(arguments: [
        ("could not extend file \"base/1\"", "XX000", true), ("could not extend file \"base/1\"", "53100", false),
        ("cache lookup failed", "XX000", false),
    ])
    func knowsWhatAWorkerSaid(message: String, state: String, isRelayed: Bool) async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { connection in
                    try connection.execute("do $$ begin raise '\(message)' using errcode = '\(state)'; end $$")
                }
            }
            #expect(error?.isRelayed == isRelayed)
        }
    }

    /// As a Citus coordinator ends a session because a worker has ended its own.
    @Test(arguments: [("from 127.0.0.1:5432", true), ("from the test", false), ("not from 127.0.0.1:5432", false)])
    func tellsAWorkersEndFromTheCoordinators(detail: String, isRelayed: Bool) async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { connection in
                    try connection.execute(
                        """
                        do $$ begin
                            raise 'terminating connection due to unexpected postmaster exit'
                                using errcode = '57P01', detail = '\(detail)';
                        end $$
                        """
                    )
                }
            }
            #expect(error?.isUnavailable == true)
            #expect(error?.isRelayed == isRelayed)
        }
    }

    struct Classified: Sendable, CustomTestStringConvertible {
        var sqlState: String?
        var kind: PostgresError.Kind
        var isUnavailable = false
        var isRetryable = false
        var isReadOnly = false
        var testDescription: String { "\(kind) \(sqlState ?? "-")" }
    }

    @Test(arguments: [
        Classified(sqlState: nil, kind: .connectionFailed, isUnavailable: true),
        Classified(sqlState: "57P03", kind: .connectionFailed, isUnavailable: true),
        Classified(sqlState: "53300", kind: .connectionFailed, isUnavailable: true),
        Classified(sqlState: "28P01", kind: .connectionFailed),
        Classified(sqlState: "3D000", kind: .connectionFailed),
        Classified(sqlState: nil, kind: .connectionLost, isUnavailable: true),
        Classified(sqlState: "57P01", kind: .server, isUnavailable: true),
        Classified(sqlState: "57P02", kind: .server, isUnavailable: true),
        Classified(sqlState: "08006", kind: .server, isUnavailable: true),
        Classified(sqlState: "25006", kind: .server, isUnavailable: true, isReadOnly: true),
        Classified(sqlState: "53100", kind: .server, isUnavailable: true),
        Classified(sqlState: "40001", kind: .server, isRetryable: true),
        Classified(sqlState: "40P01", kind: .server, isRetryable: true),
        Classified(sqlState: "23505", kind: .server),
        Classified(sqlState: "42601", kind: .server),
        Classified(sqlState: nil, kind: .cancelled),
        Classified(sqlState: nil, kind: .closed),
        Classified(sqlState: "22021", kind: .invalidValue),
    ])
    func tellsWhatToDo(expected: Classified) {
        let error = PostgresError(expected.kind, "message", sqlState: expected.sqlState)
        #expect(error.isUnavailable == expected.isUnavailable)
        #expect(error.isRetryable == expected.isRetryable)
        #expect(error.isReadOnly == expected.isReadOnly)
    }

    /// What a server says whose programs were upgraded while it runs. The SQLSTATE depends on the system's error.
    @Test(arguments: [
        ("could not load library \"/usr/lib/postgresql/15/lib/plpgsql.so\": undefined symbol: x", "XX000", true),
        ("could not access file \"$libdir/plpgsql\": No such file or directory", "58P01", true),
        ("incompatible library \"/usr/lib/postgresql/15/lib/plpgsql.so\": version mismatch", "XX000", true),
        ("cache lookup failed for type 1", "XX000", false),
    ])
    func knowsAServerWithoutItsLibraries(message: String, sqlState: String, isUnavailable: Bool) {
        #expect(PostgresError(.server, message, sqlState: sqlState).isUnavailable == isUnavailable)
    }

    @Test func carriesWhatTheServerSays() async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { connection in
                    try connection.executeScript(
                        "create table person (name text, constraint person_name_key unique (name))"
                    )
                    try connection.execute("insert into person values ($1)", [.text("s3cret")])
                    try connection.execute("insert into person values ($1)", [.text("s3cret")])
                }
            }
            #expect(error?.isUniqueViolation == true)
            #expect(error?.isConstraintViolation == true)
            #expect(error?.constraint == "person_name_key")
            #expect(error?.table == "person")
            #expect(error?.statement == "insert into person values ($1)")
            #expect(error?.description.contains("s3cret") == false)
            #expect(error?.description.contains("person_name_key") == true)
            #expect(error?.debugDescription.contains("s3cret") == true)
        }
    }

    @Test(arguments: [
        ("select $1::integer", "22P02"), ("select $1::text::date", "22007"),
        ("select ('{\"a\":' || $1)::jsonb", "22P02"),
        ("do $$begin raise exception 's3cret'; end$$", "P0001"),
    ])
    func descriptionHoldsNoValue(sql: String, sqlState: String) async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { connection in
                    _ = try connection.query(sql, sql.contains("$1") ? [.text("s3cret")] : [])
                }
            }
            #expect(error?.sqlState == sqlState)
            #expect(error?.description.contains("s3cret") == false)
            #expect(error?.description.contains(sqlState) == true)
        }
    }

    @Test func tellsASyntaxErrorsPlace() async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { try $0.execute("select 1 fromm x y") }
            }
            #expect(error?.sqlState == "42601")
            #expect(error?.position == 16)
        }
    }

    @Test func aStatementTimeoutIsNoCancellation() async throws {
        let address = try await TestDatabases.serverAddress()
        let options = PostgresOptions(statementTimeout: .milliseconds(20))
        let connection = try await PostgresConnection.connect(to: address, options: options)
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select pg_sleep(60)") }
        #expect(error?.isStatementTimeout == true)
        #expect(error?.isCancelled == false)
        #expect(await connection.isUsable)
        await connection.close()
    }
}
