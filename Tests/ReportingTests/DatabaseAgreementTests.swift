import Events
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time

/// The same as the agreement in memory, through the whole product. The writer stores events batch by batch, shuffled
/// and partly repeated, and the report's SQL reads them back. All streams share a database, with one app each.
@Suite("Agreement of the database with the oracle")
struct DatabaseAgreementTests {
    private static let parts: [Range<UInt64>] = (0..<4).map { $0 * 30 + 5_200..<($0 + 1) * 30 + 5_200 }

    @Test(arguments: parts) func storesAndReadsBack(seeds: Range<UInt64>) async throws {
        try await TestDatabases.withDatabase(
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

    private func expectAgreement(seed: UInt64, writer: EventWriter, pool: PostgresPool) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        let store = AppStore(pool: pool)
        var profile = AppProfile(id: "app-\(seed)", name: "Random")
        profile.currency = RandomStream.currency
        _ = try await store.create(profile)
        let app = try await store.app(id: profile.id)
        try await pool.giveLink(to: app)
        var duplicates = 0
        var sent = 0
        for batch in stream.redelivered(seed: seed) {
            sent += batch.count
            let receipt = try await writer.store(batch, of: app, receivedAt: stream.now)
            duplicates += receipt.duplicates
        }
        #expect(sent - duplicates == Oracle.stored(of: stream.events).count, "seed \(seed)")

        let asked = try RandomQuestions.some(seed: seed, stream: stream)
        for question in asked {
            let request = try ReportRequest.parse(
                name: question.name,
                parameters: question.parameters,
                origin: .http,
                app: app,
                now: stream.now
            )
            let table = try await ReportRunner.run(request, on: pool).table
            let told = table.rows.map { row in row.map { $0.plainText ?? "" } }
            let expected = question.answer(about: stream)
            #expect(told == expected, "seed \(seed): \(question.name) \(question.parameters)")
        }
    }
}
