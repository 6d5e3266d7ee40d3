import Postgres
import PostgresTesting
import Testing

@Suite("Statements in other words")
struct StatementVariantTests {
    private func texts(_ questions: [String]) async throws -> [String] {
        let connection = try await PostgresConnection.connect(
            to: TestDatabases.serverAddress(),
            options: PostgresOptions(
                variants: StatementVariants(
                    isNeeded: questions,
                    texts: [
                        "select 'original'": "select 'variant'",
                        "set local work_mem = '1MB'": "set local work_mem = '2MB'",
                    ]
                )
            )
        )
        let found = try await connection.run { connection in
            var texts = [try connection.query("select 'original'")[0].text(0)]
            try connection.transaction(opening: ["set local work_mem = '1MB'"]) {
                texts.append(try connection.query("show work_mem")[0].text(0))
                try connection.executeWithNext("select 'original'")
                let results = try connection.query([("select 'original'", []), ("select 'other'", [])]) {}
                texts += try results.map { try $0[0].text(0) }
            }
            texts.append(connection.text(of: "select 'original'"))
            return texts
        }
        await connection.close()
        return found
    }

    @Test func areUsedIfTheServerNeedsThem() async throws {
        let texts = try await texts(["select true", "select 1 = 1"])
        #expect(texts == ["variant", "2MB", "variant", "other", "select 'variant'"])
    }

    /// A later question may name what an earlier one has not found.
    @Test func areNotUsedIfOneAnswerIsFalse() async throws {
        let texts = try await texts(["select true", "select false", "select true from no_such_table"])
        #expect(texts == ["original", "1MB", "original", "other", "select 'original'"])
    }

    @Test func areNotUsedWithoutAQuestion() async throws {
        #expect(try await texts([]) == ["original", "1MB", "original", "other", "select 'original'"])
    }

    @Test func failTheConnectionIfTheQuestionFails() async throws {
        await #expect(throws: PostgresError.self) { try await texts(["select true from no_such_table"]) }
    }
}
