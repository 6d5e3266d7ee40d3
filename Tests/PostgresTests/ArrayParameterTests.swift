@testable import Postgres
import PostgresTesting
import Testing

@Suite("Arrays as parameters")
struct ArrayParameterTests {
    @Test func arriveAsTheyWere() async throws {
        var numbers = PostgresArray(.int32)
        var times = PostgresArray(.timestamp)
        var ids = PostgresArray(.uuid)
        var texts = PostgresArray(.text)
        let words: [String?] = [
            "", "null", "NULL", nil, "{\"a\\b\"}", "e\u{301}", String(repeating: "x", count: 5_000),
        ]
        for (index, word) in words.enumerated() {
            numbers.append(int32: Int32(index) - 3)
            times.append(timestamp: Int64(index) * 1_000_001 - 5)
            ids.append(uuidHigh: .max - UInt64(index), low: UInt64(index))
            texts.append(text: word)
        }
        let parameters: [PostgresValue] = [.array(numbers), .array(times), .array(ids), .array(texts)]
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                let rows = try connection.query(
                    "select * from unnest($1::integer[], $2::timestamptz[], $3::uuid[], $4::text[])",
                    parameters
                )
                #expect(rows.count == words.count)
                for (index, row) in rows.enumerated() {
                    #expect(try row.int(0) == index - 3)
                    #expect(try row.timestamp(1) == Int64(index) * 1_000_001 - 5)
                    #expect(try row.uuid(2) == (.max - UInt64(index), UInt64(index)))
                    #expect(try row.optionalText(3).map { Array($0.utf8) } == words[index].map { Array($0.utf8) })
                }
                let none = try connection.query("select cardinality($1::text[])", [.array(PostgresArray(.text))])
                #expect(try none[0].int(0) == 0)
            }
        }
    }

    @Test func refuseWhatPostgreSQLCannotStore() throws {
        var texts = PostgresArray(.text)
        texts.append(text: "a\u{0}")
        #expect(throws: PostgresError.self) { try ParameterBuffer([.array(texts)]) }
    }
}
