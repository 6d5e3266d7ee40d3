import Postgres
import PostgresTesting
import Testing

@Suite struct ConnectionTests {
    @Test func beginsWithSettingsThatDoNotDependOnTheServer() async throws {
        let address = try await TestDatabases.serverAddress()
        let options = PostgresOptions(applicationName: "a name", settings: ["search_path": "\"odd \\ path\", public"])
        let connection = try await PostgresConnection.connect(to: address, options: options)
        let settings = try await connection.run { connection in
            try ["TimeZone", "client_encoding", "application_name", "statement_timeout", "search_path"].map { name in
                try connection.query("select current_setting($1)", [.text(name)])[0].text(0)
            }
        }
        #expect(settings == ["UTC", "UTF8", "a name", "1min", "\"odd \\ path\", public"])
        await connection.close()
    }

    /// What a role or a database sets would lead to other tables, or to none.
    @Test(arguments: ["''", "other", "pg_catalog, other"])
    func namesItsOwnSearchPath(ofTheDatabase path: String) async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                let name = database.address.database
                try connection.executeScript("create schema other; alter database \(name) set search_path = \(path)")
            }
            let connection = try await PostgresConnection.connect(to: database.address)
            try await #expect(connection.query("show search_path")[0].text(0) == "public")
            try await #expect(connection.query("select current_schema()::text")[0].text(0) == "public")
            await connection.close()
        }
    }

    /// A server compiles by default, so the first batch of events would wait for that.
    @Test(arguments: ["", "-c jit=on"]) func compilesOnlyIfTheAddressSaysSo(options: String) async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection {
                try $0.executeScript("alter database \(database.address.database) set jit = on")
            }
            let address = try PostgresAddress(database.address.keywords + " options='\(options)'")
            let connection = try await PostgresConnection.connect(to: address)
            let jit = try await connection.query("show jit")[0].text(0)
            #expect(jit == (options.isEmpty ? "off" : "on"))
            await connection.close()
        }
    }

    @Test func theAddressOverridesSettingsButNotFormats() async throws {
        let options = " options='-c search_path=pg_catalog --statement-timeout=5s -c TimeZone=Asia/Tokyo'"
        let address = try await PostgresAddress(TestDatabases.serverAddress().keywords + options)
        let connection = try await PostgresConnection.connect(to: address)
        let settings = try await connection.run { connection in
            try ["search_path", "statement_timeout", "lock_timeout", "TimeZone"].map { name in
                try connection.query("select current_setting($1)", [.text(name)])[0].text(0)
            }
        }
        #expect(settings == ["pg_catalog", "5s", "0", "UTC"])
        await connection.close()
    }

    @Test func aClosedConnectionRefuses() async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        await connection.close()
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select 1") }
        #expect(error?.kind == .closed)
        #expect(await !connection.isUsable)
    }

    @Test func anAbsentServerIsUnavailable() async throws {
        let address = PostgresAddress(host: "127.0.0.1", port: 1, database: "x", user: "ann", password: "s3cret")
        let error = await #expect(throws: PostgresError.self) { try await PostgresConnection.connect(to: address) }
        #expect(error?.kind == .connectionFailed)
        #expect(error?.isUnavailable == true)
        #expect(error?.description.contains("postgresql://ann@127.0.0.1:1/x") == true)
        #expect(error?.debugDescription.contains("s3cret") == false)
    }

    @Test func anAbsentSocketIsUnavailable() async throws {
        let address = PostgresAddress(host: "/nonexistent", database: "x", user: "ann")
        let error = await #expect(throws: PostgresError.self) { try await PostgresConnection.connect(to: address) }
        #expect(error?.isUnavailable == true)
    }

    @Test func anAbsentDatabaseIsToldBySQLSTATE() async throws {
        let address = try await TestDatabases.serverAddress().selecting(database: "no_such_database")
        let error = await #expect(throws: PostgresError.self) { try await PostgresConnection.connect(to: address) }
        #expect(error?.isMissingDatabase == true, "\(String(describing: error))")
        #expect(error?.isUnavailable == false)
        #expect(error?.message.contains("no_such_database") == true)
        #expect(error?.message.contains("LOCATION") == false)
    }

    /// A server that accepts connections and never answers: a listening socket that no one reads.
    @Test func givesUpOnASilentServer() async throws {
        let listener = try SilentListener()
        let address = PostgresAddress(host: "127.0.0.1", port: listener.port, database: "x", user: "ann")
        let options = PostgresOptions(connectTimeout: .milliseconds(100))
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(to: address, options: options)
        }
        #expect(error?.isUnavailable == true)
        #expect(error?.message.contains("no connection within") == true)
    }

    /// A program that ends must not wait for such a server.
    @Test func isGivenUpWithItsTask() async throws {
        let listener = try SilentListener()
        let address = PostgresAddress(host: "127.0.0.1", port: listener.port, database: "x", user: "ann")
        let options = PostgresOptions(connectTimeout: .seconds(30))
        let connecting = Task { try await PostgresConnection.connect(to: address, options: options) }
        connecting.cancel()
        let error = await #expect(throws: PostgresError.self) { try await connecting.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func preparesATextThatIsUsedAgain() async throws {
        try await TestDatabases.withDatabase { database in
            let prepared = try await database.pool.withConnection { connection in
                for value in 1...3 {
                    let row = try connection.query("select $1::bigint + 1", [.int(Int64(value))])[0]
                    #expect(try row.int64(0) == Int64(value) + 1)
                }
                return try connection.query("select statement from pg_prepared_statements").map { try $0.text(0) }
            }
            #expect(prepared == ["select $1::bigint + 1"])
        }
    }

    @Test func keepsNoMorePreparedStatementsThanTheLimit() async throws {
        let address = try await TestDatabases.serverAddress()
        let options = PostgresOptions(preparedStatementLimit: 4)
        let connection = try await PostgresConnection.connect(to: address, options: options)
        let count = try await connection.run { connection in
            for number in 0..<20 {
                for _ in 0..<3 {
                    try connection.execute("select \(number)")
                }
            }
            return try connection.query("select count(*) from pg_prepared_statements")[0].int64(0)
        }
        #expect((1...4).contains(count))
        await connection.close()
    }

    @Test func followsAChangeOfTheTable() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create table thing (a integer); insert into thing values (1)")
                for _ in 0..<3 {
                    try #expect(connection.query("select * from thing")[0].columnCount == 1)
                }
                try connection.executeScript("alter table thing add b text default 'b'")
                try #expect(connection.query("select * from thing")[0].text("b") == "b")
                try connection.executeScript("deallocate all")
                for _ in 0..<3 {
                    try #expect(connection.query("select * from thing")[0].columnCount == 2)
                }
            }
        }
    }

    @Test func aNullFitsAStatementPreparedForAnyType() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    "create table thing (at timestamptz, id uuid, flag boolean, number numeric)"
                )
                let sql = "insert into thing values ($1, $2, $3, $4)"
                for round in 0..<6 {
                    let values: [PostgresValue] = [
                        .timestamp(microseconds: 1), .uuid(high: 1, low: 2), .bool(true), .double(1.5),
                    ]
                    try connection.execute(
                        sql,
                        values.enumerated().map { $0.offset % 3 == round % 3 ? .null : $0.element }
                    )
                }
                try connection.execute(sql, [.null, .null, .null, .text("1.5")])
                try connection.execute(sql, [.null, .null, .null, .int(15)])
                try #expect(connection.query("select count(*) from thing")[0].int(0) == 8)
            }
        }
    }

    @Test func refusesNullCharacters() async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        for value in [PostgresValue.text("a\0b"), .textArray(["a", "\0"])] {
            let error = await #expect(throws: PostgresError.self) { try await connection.query("select $1", [value]) }
            #expect(error?.kind == .invalidValue)
        }
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select '\0'") }
        #expect(error?.kind == .misuse)
        await connection.close()
    }

    @Test func reportsAffectedRows() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try #expect(connection.execute("create table thing (a integer)") == 0)
                try #expect(connection.execute("insert into thing select generate_series(1, 7)") == 7)
                try #expect(connection.execute("update thing set a = a where a > $1", [.int(5)]) == 2)
                try #expect(connection.execute("delete from thing") == 7)
            }
        }
    }

    @Test func copyStatementsNeedTheirOwnCalls() async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        for sql in ["copy (select 1) to stdout", "copy pg_class from stdin"] {
            await #expect(throws: PostgresError.self) { try await connection.query(sql) }
        }
        let error = await #expect(throws: PostgresError.self) {
            try await connection.copyIn("select 1", PostgresCopyData())
        }
        #expect(error?.kind == .misuse)
        #expect(try await connection.query("select 2")[0].int(0) == 2)
        await connection.close()
    }
}
