import Postgres
import PostgresTesting
import Testing
import RandomTesting

@Suite struct CopyTests {
    private static let table = """
        create type mood as enum ('sad', 'glad');
        create table thing (
            i2 smallint, i4 integer, i8 bigint, t text, e mood, j jsonb, b bytea, at timestamptz,
            id uuid, n numeric, flag boolean, texts text[], position bigint generated always as identity
        )
        """
    private static let columns = "i2, i4, i8, t, e, j, b, at, id, n, flag, texts"
    private static let copyIn = "copy thing (\(columns)) from stdin (format binary)"
    private static let copyOut = "copy (select \(columns) from thing order by position) to stdout (format binary)"

    struct Thing: Sendable, Equatable {
        var i2: Int16?
        var i4: Int32?
        var i8: Int64?
        var t: [Unicode.Scalar]?
        var e: String?
        var j: String?
        var b: [UInt8]?
        var at: Int64?
        var idHigh: UInt64?
        var idLow: UInt64?
        var n: Int64?
        var flag: Bool?
        var texts: [[Unicode.Scalar]]?

        /// Every field is null in one of four rows.
        init(_ random: inout SeededRandom) {
            func maybe<T>(_ value: T) -> T? { Int.random(in: 0..<4, using: &random) == 0 ? nil : value }
            i2 = maybe(Int16(truncatingIfNeeded: random.int64()))
            i4 = maybe(Int32(truncatingIfNeeded: random.int64()))
            i8 = maybe(random.int64())
            t = maybe(Array(random.text(upTo: 60).unicodeScalars))
            e = maybe(Bool.random(using: &random) ? "sad" : "glad")
            j = maybe("{\"key\": \(random.int64())}")
            b = maybe(
                (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            )
            at = maybe(Int64.random(in: -210_866_803_200_000_000 ... .max - 1, using: &random))
            if let high = maybe(random.next()) {
                (idHigh, idLow) = (high, random.next())
            }
            n = maybe(random.int64())
            flag = maybe(Bool.random(using: &random))
            texts = maybe(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in Array(random.text(upTo: 9).unicodeScalars) }
            )
        }

        init(_ row: inout PostgresCopyRow) throws {
            i2 = try row.nextOptionalInt64().map { Int16($0) }
            i4 = try row.nextOptionalInt64().map { Int32($0) }
            i8 = try row.nextOptionalInt64()
            t = try row.nextOptionalText().map { Array($0.unicodeScalars) }
            e = try row.nextOptionalText()
            j = try row.nextOptionalJSONB()
            b = try row.nextOptionalBytes()
            at = try row.nextOptionalTimestamp()
            if let id = try row.nextOptionalUUID() {
                (idHigh, idLow) = (id.high, id.low)
            }
            n = try row.nextOptionalMillionths()
            flag = try row.nextOptionalBool()
            texts = try row.nextOptionalTextArray()?.map { Array($0.unicodeScalars) }
        }

        func append(to data: PostgresCopyData) {
            func text(_ scalars: [Unicode.Scalar]) -> String {
                var view = String.UnicodeScalarView()
                view.append(contentsOf: scalars)
                return String(view)
            }
            data.beginRow(fields: 12)
            data.append(int16: i2)
            data.append(int32: i4)
            data.append(int64: i8)
            data.append(text: t.map(text))
            data.append(enumLabel: e)
            data.append(jsonb: j)
            data.append(bytes: b)
            data.append(timestamp: at)
            if let idHigh, let idLow {
                data.append(uuidHigh: idHigh, low: idLow)
            } else {
                data.appendNull()
            }
            data.append(numericMillionths: n)
            data.append(bool: flag)
            data.append(textArray: texts?.map(text))
        }
    }

    @Test(arguments: 1...4)
    func rowsComeBack(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let things = (0..<300).map { _ in Thing(&random) }
        let data = PostgresCopyData(capacity: 16)
        for thing in things {
            thing.append(to: data)
        }
        let sent = data
        try await TestDatabases.withDatabase { database in
            let (count, back) = try await database.pool.withConnection { connection in
                try connection.executeScript(Self.table)
                let count = try connection.copyIn(Self.copyIn, sent)
                var back: [Thing] = []
                try connection.copyOut(Self.copyOut) { row in
                    #expect(row.fieldCount == 12)
                    back.append(try Thing(&row))
                }
                return (count, back)
            }
            #expect(count == things.count)
            #expect(back.count == things.count)
            #expect(zip(back, things).first { $0 != $1 } == nil)
        }
    }

    @Test func numericsAreTheExactMillionths() async throws {
        var random = SeededRandom(seed: 11)
        let values: [Int64] =
            [
                0, 1, -1, 10, 100, 999_999, 1_000_000, -1_000_000, 1_500_000, 10_000_000_000, 123_456_789_012_345, .max,
                .min,
            ]
            + (0..<500).map { _ in random.int64() }
        let data = PostgresCopyData()
        for value in values {
            data.beginRow(fields: 2)
            data.append(int64: value)
            data.append(numericMillionths: value)
        }
        let sent = data
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create table amount (millionths bigint, value numeric)")
                try connection.copyIn("copy amount from stdin (format binary)", sent)
                let row = try connection.query(
                    """
                    select count(*) filter (where value * 1000000 <> millionths),
                        count(*) filter (where value::text <> trim_scale(value)::text), count(*)
                    from amount
                    """
                )[0]
                #expect(try row.int(0) == 0)
                #expect(try row.int(1) == 0)
                #expect(try row.int(2) == values.count)
                for row in try connection.query("select millionths, value from amount") {
                    #expect(try row.optionalMillionths(1) == row.int64(0))
                }
            }
        }
    }

    @Test func noRowsIsFine() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(Self.table)
                try #expect(connection.copyIn(Self.copyIn, PostgresCopyData()) == 0)
                try connection.copyOut(Self.copyOut) { _ in Issue.record("no row was expected") }
            }
        }
    }

    @Test func anErrorInOneRowStoresNone() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    "create table small (a integer not null, constraint small_a_check check (a < 1000))"
                )
                let data = PostgresCopyData()
                for value in 0..<Int32(5000) {
                    data.beginRow(fields: 1)
                    data.append(int32: value)
                }
                let sent = data
                let error = #expect(throws: PostgresError.self) {
                    try connection.copyIn("copy small from stdin (format binary)", sent)
                }
                #expect(error?.sqlState == "23514")
                #expect(error?.constraint == "small_a_check")
                let isUsable = connection.isUsable
                #expect(isUsable)
                try #expect(connection.query("select count(*) from small")[0].int(0) == 0)
            }
        }
    }

    @Test func aWrongSizeIsTheServersError() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create table small (a integer)")
                let data = PostgresCopyData()
                data.beginRow(fields: 1)
                data.append(int64: 1)
                let sent = data
                let error = #expect(throws: PostgresError.self) {
                    try connection.copyIn("copy small from stdin (format binary)", sent)
                }
                #expect(error?.sqlState == "22P03")
                try #expect(connection.query("select 1")[0].int(0) == 1)
            }
        }
    }

    @Test func refusesNullCharactersBeforeSending() async throws {
        let data = PostgresCopyData()
        data.beginRow(fields: 1)
        data.append(text: "good")
        data.beginRow(fields: 1)
        data.append(text: "b\0d")
        let sent = data
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let error = await #expect(throws: PostgresError.self) { try await connection.copyIn("copy x from stdin", sent) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.message == "row 2 has text with U+0000")
        await connection.close()
    }

    @Test(arguments: [1, 3])
    func refusesARowOfAnotherLength(fields: Int) async throws {
        let data = PostgresCopyData()
        data.beginRow(fields: 2)
        for _ in 0..<fields {
            data.append(int64: 1)
        }
        let sent = data
        let connection = try await PostgresConnection.connect(to: TestDatabases.serverAddress())
        let error = await #expect(throws: PostgresError.self) { try await connection.copyIn("copy x from stdin", sent) }
        #expect(error?.kind == .misuse)
        await connection.close()
    }

    private struct Stop: Error {}

    @Test(arguments: [1, 2, 1000])
    func anErrorOfTheReaderEndsTheCopy(rows: Int) async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                var seen = 0
                #expect(throws: Stop.self) {
                    try connection.copyOut(
                        "copy (select generate_series(1::bigint, 1000000000)) to stdout (format binary)"
                    ) { row in
                        seen += 1
                        #expect(try row.nextInt64() == Int64(seen))
                        if seen == rows { throw Stop() }
                    }
                }
                #expect(seen == rows)
                let isUsable = connection.isUsable
                #expect(isUsable)
                let isOpen = connection.isInTransaction
                #expect(!isOpen)
                try #expect(connection.query("select 1")[0].int(0) == 1)
            }
        }
    }

    @Test func anErrorOfTheServerMidwayIsThrown() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                var seen = 0
                let error = #expect(throws: PostgresError.self) {
                    try connection.copyOut(
                        "copy (select 10 / (5000 - n) from generate_series(1, 9999) n) to stdout (format binary)"
                    ) { _ in seen += 1 }
                }
                #expect(error?.sqlState == "22012")
                #expect(seen == 4999)
                try #expect(connection.query("select 1")[0].int(0) == 1)
            }
        }
    }

    @Test func textFormatIsRefused() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(Self.table)
                #expect(throws: PostgresError.self) {
                    try connection.copyIn("copy thing from stdin", PostgresCopyData())
                }
                #expect(throws: PostgresError.self) { try connection.copyOut("copy thing to stdout") { _ in } }
                #expect(throws: PostgresError.self) { try connection.copyOut("select 1") { _ in } }
                try #expect(connection.query("select 1")[0].int(0) == 1)
            }
        }
    }

    @Test func fieldsAreReadWithoutACopyAndSkipped() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                var sum = 0
                try connection.copyOut(
                    "copy (select n, repeat('x', n), null::text, n from generate_series(1, 10) n) to stdout (format binary)"
                ) { row in
                    try row.skip()
                    sum += try row.nextUnsafeBytes()?.count ?? 0
                    #expect(try row.nextUnsafeBytes() == nil)
                    if sum % 2 == 0 {
                        _ = try row.nextInt64()
                        #expect(throws: PostgresError.self) { try row.nextInt64() }
                    }
                }
                #expect(sum == 55)
            }
        }
    }
}
