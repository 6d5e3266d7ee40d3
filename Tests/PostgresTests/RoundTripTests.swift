import Postgres
import PostgresTesting
import Testing
import RandomTesting

/// Values come back unchanged, for every type and every way to send them.
@Suite struct RoundTripTests {
    private static let timestamps: [Int64] = [
        0, 1, -1, 946_684_800_000_000, 946_684_799_999_999, .max, .min,
        .max - 1,  // in the year 294247
        -210_866_803_200_000_000,  // 4714-11-24 BC, the first
        253_402_300_799_999_999, -62_135_596_800_000_000,
    ]

    @Test(arguments: 1...4)
    func parametersComeBack(seed: UInt64) async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                var random = SeededRandom(seed: seed)
                for _ in 0..<100 {
                    let text = random.text(upTo: 40)
                    let int = random.int64()
                    let double = Double(bitPattern: random.next())
                    let bytes = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                        UInt8.random(in: 0 ... .max, using: &random)
                    }
                    let at = Int64.random(in: -210_866_803_200_000_000 ... .max - 1, using: &random)
                    let (high, low) = (random.next(), random.next())
                    let texts = (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.text(upTo: 10) }
                    let ints = (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.int64() }
                    let row = try connection.query(
                        """
                        select $1::text, $2::bigint, $3::double precision, $4::bytea, $5::timestamptz, $6::uuid, $7::text[],
                            $8::bigint[], $9::boolean, $10::text
                        """,
                        [
                            .text(text), .int(int), .double(double), .bytes(bytes), .timestamp(microseconds: at),
                            .uuid(high: high, low: low), .textArray(texts), .intArray(ints), .bool(int > 0), .null,
                        ]
                    )[0]
                    #expect(Array(try row.text(0).unicodeScalars) == Array(text.unicodeScalars))
                    #expect(try row.int64(1) == int)
                    #expect(try row.double(2).bitPattern == double.bitPattern || double.isNaN)
                    #expect(try row.bytes(3) == bytes)
                    #expect(try row.timestamp(4) == at)
                    #expect(try row.uuid(5) == (high, low))
                    #expect(
                        try row.textArray(6).map { Array($0.unicodeScalars) } == texts.map { Array($0.unicodeScalars) }
                    )
                    #expect(try row.intArray(7) == ints)
                    #expect(try row.bool(8) == (int > 0))
                    #expect(try row.isNull(9))
                    #expect(try row.optionalText(9) == nil)
                }
            }
        }
    }

    @Test(arguments: timestamps)
    func timestampsAtTheExtremesComeBack(microseconds: Int64) async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let row = try await connection.query("select $1::timestamptz", [.timestamp(microseconds: microseconds)])[0]
        #expect(try row.timestamp(0) == microseconds)
        await connection.close()
    }

    @Test func timestampsMeanWhatPostgreSQLMeans() async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let row = try await connection.query(
            """
            select '2024-02-29T12:34:56.789012Z'::timestamptz, 'infinity'::timestamptz, '-infinity'::timestamptz,
                $1::timestamptz::text, $2 = '-infinity'::timestamptz
            """,
            [.timestamp(microseconds: 1_709_210_096_789_012), .timestamp(microseconds: .min)]
        )[0]
        #expect(try row.timestamp(0) == 1_709_210_096_789_012)
        #expect(try row.timestamp(1) == .max)
        #expect(try row.timestamp(2) == .min)
        #expect(try row.text(3) == "2024-02-29 12:34:56.789012+00")
        #expect(try row.bool(4))
        for microseconds in [Int64.min + 1, -210_866_803_200_000_001] {
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query("select $1::timestamptz", [.timestamp(microseconds: microseconds)])
            }
            #expect(error?.sqlState == "22008")
        }
        await connection.close()
    }

    @Test(arguments: [
        "0", "0.00", "1", "-1", "9999", "10000", "10001", "123456789.123456", "-0.000001", "0.1", "0.0001", "0.00001",
        "100000000", "1e20", "12345678901234567890.1234567890", "1000000.000001", "99999999999999999999", "0.99999999",
        "-9223372036854775808", "9223372036854775807", "9223372036854775808",
    ])
    func numericsReadAsPostgreSQLWritesThem(text: String) async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let row = try await connection.query("select $1::numeric, $1::numeric::text", [.text(text)])[0]
        #expect(try row.text(0) == row.text(1))
        #expect(try row.double(0) == Double(text))
        if let whole = Int64(text) {
            #expect(try row.int64(0) == whole)
        }
        await connection.close()
    }

    @Test(arguments: ["0.0000001", "NaN", "9223372036854.775808", "-9223372036854.775809", "1e30"])
    func whatIsNoMillionthsIsRefused(text: String) async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let row = try await connection.query("select $1::numeric", [.text(text)])[0]
        #expect(throws: PostgresError.self) { try row.optionalMillionths(0) }
        await connection.close()
    }

    @Test func accessorsRefuseOtherTypes() async throws {
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let row = try await connection.query(
            "select 1 as one, 'x' as x, null::text as nothing, now() as now, 1.5 as n"
        )[0]
        #expect(throws: PostgresError.self) { try row.text("now") }
        #expect(throws: PostgresError.self) { try row.int("x") }
        #expect(throws: PostgresError.self) { try row.int("n") }
        #expect(throws: PostgresError.self) { try row.bool("one") }
        #expect(throws: PostgresError.self) { try row.uuid(1) }
        #expect(throws: PostgresError.self) { try row.textArray("x") }
        #expect(throws: PostgresError.self) { try row.text("nothing") }
        #expect(throws: PostgresError.self) { try row.text("absent") }
        #expect(throws: PostgresError.self) { try row.text(9) }
        #expect(throws: PostgresError.self) { try row.text(-1) }
        #expect(try row.text("one") == "1")
        #expect(try row.double(4) == 1.5)
        await connection.close()
    }

    @Test func textReadsEnumsJSONAndUUIDs() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create type mood as enum ('sad', 'glad')")
                let row = try connection.query(
                    "select $1::mood, $2::jsonb, $3::json, $4::uuid, $5::mood[], $6::smallint, $7::real",
                    [
                        .text("glad"), .text(#"{"a": [1, "é"]}"#), .text("[1 ]"),
                        .uuid(high: 0x0123_4567_89AB_CDEF, low: 0x0011_2233_4455_6677), .textArray(["sad", "glad"]),
                        .int(-7), .double(0.5),
                    ]
                )[0]
                #expect(try row.text(0) == "glad")
                #expect(try row.text(1) == #"{"a": [1, "é"]}"#)
                #expect(try row.text(2) == "[1 ]")
                #expect(try row.text(3) == "01234567-89ab-cdef-0011-223344556677")
                #expect(try row.textArray(4) == ["sad", "glad"])
                #expect(try row.int64(5) == -7)
                #expect(try row.double(6) == 0.5)
            }
        }
    }
}
