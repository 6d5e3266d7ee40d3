import Postgres
import PostgresTesting
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
@testable import Timelines

/// However many connections share a report, and however many of them there are, its figures are the same.
/// `DatabaseAgreementTests` asks with fewer.
@Suite("Reports shared by connections")
struct SharedReportTests {
    /// Packed events of several segments, events that are not packed, and changed links.
    private struct Asked: Sendable {
        var app: App
        var questions: [ReportRequest]
        var answers: [[[String]]]
    }

    private static let seed: UInt64 = 9_205

    private static func withQuestions(
        _ body: @Sendable (Asked, TestDatabase) async throws -> Void
    ) async throws {
        try await FigureTesting.with(poolSize: 16) { testing in
            try await body(try await ask(testing), testing.database)
        }
    }

    /// Another pool of the database, which is closed at the end.
    private static func withPool(
        of address: PostgresAddress,
        size: Int,
        options: PostgresOptions = TestDatabases.options,
        _ body: (PostgresPool) async throws -> Void
    ) async throws {
        let pool = PostgresPool(address: address, size: size, applicationName: "test", options: options)
        do {
            try await body(pool)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    private static func ask(_ testing: FigureTesting) async throws -> Asked {
        let asked = try AskedStream(seed: seed)
        let stream = asked.stream
        let (app, pool) = (try await testing.makeApp("shared"), testing.pool)
        let batches = stream.redelivered(seed: seed)
        var packer = TimelinePacker(app: app, pool: pool)
        packer.eventsAtOnce = 7
        // A third is packed at once, a third in pieces, a third not at all.
        for (number, batch) in batches.enumerated() {
            try await testing.store(batch, of: app)
            if number == batches.count / 3 {
                try await pool.passHorizon()
                try await packer.rebuild()
            } else if number == batches.count * 2 / 3 {
                try await pool.passHorizon()
                try await packer.pack(limit: 11)
            }
        }
        let packed = try await pool.withConnection { connection in
            try connection.query("select coalesce(sum(events), 0)::bigint from timeline_state")[0].int64(0)
        }
        try #require(packed > 0)
        let answered = try zip(asked.questions, asked.answers(about: stream.events))
            .filter { try $0.0.place != .memory && asked.isComparable($0.0, about: stream.events) }
        return Asked(
            app: app,
            questions: try answered.map { try asked.request($0.0, to: app) },
            answers: answered.map(\.1)
        )
    }

    private static func answer(_ request: ReportRequest, _ connections: Int, on pool: PostgresPool) async throws
        -> [[String]]
    {
        let sharing = ScanSharing(connections: connections, forEach: 1)
        return try await ReportRunner.run(request, on: pool, sharing).table.rows.texts
    }

    @Test func areTheSame() async throws {
        try await Self.withQuestions { asked, database in
            for (request, expected) in zip(asked.questions, asked.answers) {
                let told = try await Self.answer(request, 16, on: database.pool)
                #expect(told == expected, "\(request.name) \(request.parameters)")
            }
        }
    }

    /// Each holds a connection and would like fifteen more. All must get their answers.
    @Test func doNotWaitForEachOther() async throws {
        try await Self.withQuestions { asked, database in
            for size in [1, 2, 3, 5] {
                try await Self.withPool(of: database.address, size: size) { pool in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for (request, expected) in zip(asked.questions, asked.answers).prefix(20) {
                            group.addTask {
                                let told = try await Self.answer(request, 16, on: pool)
                                #expect(told == expected, "\(size): \(request.name) \(request.parameters)")
                            }
                        }
                        try await group.waitForAll()
                    }
                    #expect(pool.usage.inUse == 0)
                    #expect(pool.usage.waiting == 0)
                }
            }
        }
    }

    /// The server refuses further connections with "too many connections".
    @Test func goOnWithTheConnectionsThatThereAre() async throws {
        try await Self.withQuestions { asked, database in
            for limit in 1...3 {
                let role = "few_\(limit)_\(database.address.database)"
                try await database.pool.withConnection { connection in
                    try connection.executeScript(
                        "create role \(role) login connection limit \(limit) in role pg_read_all_data"
                    )
                }
                let address = PostgresAddress(
                    host: database.address.host,
                    port: database.address.port,
                    database: database.address.database,
                    user: role
                )
                var failure: (any Error)?
                do {
                    try await Self.withPool(of: address, size: 16) { pool in
                        for (request, expected) in zip(asked.questions, asked.answers).prefix(12) {
                            let told = try await Self.answer(request, 16, on: pool)
                            #expect(told == expected, "\(limit): \(request.name) \(request.parameters)")
                        }
                        #expect(pool.usage.idle <= limit)
                    }
                } catch {
                    failure = error
                }
                try await database.pool.withConnection { try $0.executeScript("drop role \(role)") }
                if let failure { throw failure }
            }
        }
    }

    /// If nothing is cached, one connection may read posts for minutes while the other waits. The server must not end
    /// the waiting transaction.
    @Test(.disabled(if: TestDatabases.usesCitus, "a report reads on one connection there"))
    func waitsForItsOtherConnectionHoweverLong() async throws {
        try await FigureTesting.with { testing in
            let (stream, database) = (RandomStream.make(seed: Self.seed), testing.database)
            let app = try await testing.makeApp("waiting")
            for batch in stream.redelivered(seed: Self.seed) { try await testing.store(batch, of: app) }
            try await TimelinePacker(app: app, pool: database.pool).rebuild()
            let request = try ReportRequest.parse(
                name: "viral",
                parameters: [],
                origin: .http,
                app: app,
                now: stream.now
            )
            let alone = try await ReportRunner.run(request, on: database.pool, ScanSharing(connections: 1)).table
            let impatient = PostgresOptions(idleInTransactionTimeout: .milliseconds(1))
            try await Self.withPool(of: database.address, size: 2, options: impatient) { pool in
                for _ in 0..<30 {
                    let sharing = ScanSharing(connections: 2, forEach: 1)
                    let table = try await ReportRunner.run(request, on: pool, sharing).table
                    #expect(table.rows == alone.rows)
                }
            }
        }
    }

    /// A report that fails on one connection fails as a whole, and leaves no connection in use.
    @Test func failAsAWhole() async throws {
        try await Self.withQuestions { asked, database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("update timeline_segment set strands = '\\x0102'")
            }
            let request = try #require(asked.questions.first { $0.name == "channels" })
            for _ in 0..<10 {
                await #expect(throws: (any Error).self) { try await Self.answer(request, 16, on: database.pool) }
                #expect(database.pool.usage.inUse == 0)
            }
        }
    }
}
