import Events
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
import RandomTesting
@testable import Timelines

/// The same as the agreement of the database. Between batches, at random, events are packed, segments compacted, links
/// and stories applied, and all timelines rebuilt. Whatever is packed, reports are the same.
@Suite("Agreement of packed timelines with the oracle")
struct PackedAgreementTests {
    private static let parts: [Range<UInt64>] = (0..<4).map { $0 * 15 + 9_000..<($0 + 1) * 15 + 9_000 }

    @Test(arguments: parts) func answersFromSegmentsAndDelta(seeds: Range<UInt64>) async throws {
        try await TestDatabases.withDatabase(
            poolSize: 8,
            migrate: { pool in _ = try await pool.withConnection { try Migrator().migrate($0) } }
        ) { database in
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                for seed in seeds {
                    try await expectAgreement(seed: seed, writer: writer, pool: database.pool)
                }
            }
        }
    }

    /// If nothing is cached, one connection may read posts for minutes while the other waits. The server must not end
    /// the waiting transaction.
    @Test(.disabled(if: TestDatabases.usesCitus, "a report reads on one connection there"))
    func waitsForItsOtherConnectionHoweverLong() async throws {
        try await TestDatabases.withDatabase(
            migrate: { pool in _ = try await pool.withConnection { try Migrator().migrate($0) } }
        ) { database in
            let stream = RandomStream.make(seed: 9_100, hasTwins: false)
            let app = try await AppStore(pool: database.pool).made("waiting", currency: RandomStream.currency)
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                for batch in stream.redelivered(seed: 9_100) {
                    try await writer.store(batch, of: app, receivedAt: stream.now)
                }
            }
            try await TimelinePacker(app: app, pool: database.pool).rebuild()
            let request = try ReportRequest.parse(
                name: "viral",
                parameters: [],
                origin: .http,
                app: app,
                now: stream.now
            )
            let alone = try await ReportRunner.run(request, on: database.pool, ScanSharing(connections: 1)).table
            let impatient = PostgresPool(
                address: database.address,
                size: 2,
                applicationName: "test",
                options: PostgresOptions(idleInTransactionTimeout: .milliseconds(1))
            )
            let tables: Result<[ReportTable], any Error>
            do {
                var asked: [ReportTable] = []
                for _ in 0..<30 {
                    asked.append(
                        try await ReportRunner.run(request, on: impatient, ScanSharing(connections: 2, forEach: 1))
                            .table
                    )
                }
                tables = .success(asked)
            } catch {
                tables = .failure(error)
            }
            await impatient.close()
            #expect(try tables.get().allSatisfy { $0.rows == alone.rows })
        }
    }

    private func expectAgreement(seed: UInt64, writer: EventWriter, pool: PostgresPool) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        let app = try await AppStore(pool: pool).made("app-\(seed)", currency: RandomStream.currency)
        var random = SeededRandom(seed: seed &* 977 &+ 11)
        var packer = TimelinePacker(app: app, pool: pool)
        packer.eventsAtOnce = Int(random.next() % 6) + 1
        for batch in stream.redelivered(seed: seed) {
            try await writer.store(batch, of: app, receivedAt: stream.now)
            if random.chance(45) { try await packer.pack(limit: Int(random.next() % 20) + 1) }
            if random.chance(20) { try await packer.compact() }
            if random.chance(15) { try await packer.apply() }
            if random.chance(8) { try await packer.rebuild() }
        }
        for question in try RandomQuestions.some(seed: seed, stream: stream) {
            let request = try ReportRequest.parse(
                name: question.name,
                parameters: question.parameters,
                origin: .http,
                app: app,
                now: stream.now
            )
            let sharing = ScanSharing(connections: [1, 2, 3, 8][Int(random.next() % 4)], forEach: 1)
            let table = try await ReportRunner.run(request, on: pool, sharing).table
            let told = table.rows.map { row in row.map { $0.plainText ?? "" } }
            let expected = question.answer(about: stream)
            #expect(told == expected, "seed \(seed), \(sharing): \(question.name) \(question.parameters)")
        }
        let check = try await TimelineCheck.run(app, on: pool)
        #expect(check?.isSame != false, "seed \(seed): \(String(describing: check))")
    }
}

extension AppStore {
    func made(_ id: String, currency: String) async throws -> App {
        var profile = AppProfile(id: id, name: "Random")
        profile.currency = currency
        _ = try await create(profile)
        let app = try await app(id: id)
        try await pool.giveLink(to: app)
        return app
    }
}
