import Events
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
@testable import Timelines

/// The same as the agreement in memory, through the whole product. The writer stores events batch by batch, shuffled
/// and partly repeated, and the report's SQL reads them back. Each stream is stored for two apps: nothing of the first
/// is packed. Of the second, between batches and at random, events are packed, segments compacted, links and stories
/// applied, and all timelines rebuilt.
///
/// Then two people are deleted. Reports are now as if none of their events had ever arrived. An event that was dropped
/// as a duplicate of a person's event, such as a post that another sender reported too, does not come back.
@Suite("Agreement of the database with the oracle")
struct DatabaseAgreementTests {
    @Test(arguments: TestSeeds.seeds(20, in: 4)) func answersEveryQuestion(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with(poolSize: 8) { testing in
            for seed in seeds { try await expectAgreement(seed: seed, testing.writer, testing.pool) }
        }
    }

    private func expectAgreement(seed: UInt64, _ writer: EventWriter, _ pool: PostgresPool) async throws {
        let asked = try AskedStream(seed: seed)
        let stored = Oracle.stored(of: asked.stream.events)
        var random = SeededRandom(seed: seed &* 977 &+ 11)
        let plain = try await AppStore(pool: pool).made("plain-\(seed)", currency: RandomStream.currency)
        let packed = try await AppStore(pool: pool).made(
            "packed-\(seed)",
            currency: RandomStream.currency,
            properties: RandomStream.declared.filter { _ in random.chance(80) }
        )

        var (sent, duplicates) = (0, 0)
        for batch in asked.stream.redelivered(seed: seed) {
            sent += batch.count
            duplicates += try await writer.store(batch, of: plain, receivedAt: asked.stream.now).duplicates
        }
        #expect(sent - duplicates == stored.count, "seed \(seed)")
        var packer = TimelinePacker(app: packed, pool: pool)
        packer.eventsAtOnce = Int(random.next() % 6) + 1
        for batch in asked.stream.redelivered(seed: seed &+ 1) {
            try await writer.store(batch, of: packed, receivedAt: asked.stream.now)
            if random.chance(45) { try await packer.pack(limit: Int(random.next() % 20) + 1) }
            if random.chance(20) { try await packer.compact() }
            if random.chance(15) { try await packer.apply() }
            if random.chance(8) { try await packer.rebuild() }
            if random.chance(15) { try await changeDeclarations(of: packed, &random, pool) }
        }
        if random.chance(60) { try await packer.rebuild() }

        func expect(_ answer: [[String]], _ question: OracleQuestion, of app: App, _ way: String) async throws {
            let sharing = ScanSharing(connections: random.pick([1, 2, 3, 8]), forEach: 1)
            let table = try await ReportRunner.run(asked.request(question, to: app), on: pool, sharing).table
            let way = "\(app.profile.id)\(way), \(sharing.connections) connections"
            asked.expect(table.rows.texts, answer, question, way)
        }
        for (question, answer) in zip(asked.questions, asked.answers(about: asked.stream.events))
        where question.place != .memory {
            try await expect(answer, question, of: plain, "")
            try await expect(answer, question, of: packed, "")
        }
        for app in [plain, packed] {
            let some = zip(asked.questions, asked.answers(about: asked.stream.events))
                .filter { $0.0.place != .memory && random.chance(25) }
            try await expectTogether(some, asked, of: app, connections: random.pick([1, 2, 3]), pool)
        }
        try await expectSameTimelines(packed, seed, pool)

        let left = try await erasePeople(of: [plain, packed], from: stored, seed: seed, pool)
        for (question, answer) in zip(asked.questions, asked.answers(about: left))
        where question.place != .memory && random.chance(40) {
            try await expect(answer, question, of: random.pick([plain, packed]), ", after two deletions")
        }
        try await packer.apply()
        try await expectSameTimelines(packed, seed, pool)
    }

    /// One pass for several reports, as a page of the dashboard asks for.
    private func expectTogether(
        _ questions: [(OracleQuestion, [[String]])],
        _ asked: AskedStream,
        of app: App,
        connections: Int,
        _ pool: PostgresPool
    ) async throws {
        guard !questions.isEmpty else { return }
        let requests = try questions.map { try asked.request($0.0, to: app) }
        let sharing = ScanSharing(connections: connections, forEach: 1)
        let results = try await ReportRunner.run(requests, on: pool, sharing)
        for ((question, answer), result) in zip(questions, results) {
            asked.expect(result.table.rows.texts, answer, question, "\(app.profile.id), \(questions.count) together")
        }
    }

    /// Takes a declaration back, or declares what is not declared. Reports ask for all properties nevertheless.
    private func changeDeclarations(
        of app: App,
        _ random: inout SeededRandom,
        _ pool: PostgresPool
    ) async throws {
        let store = AppStore(pool: pool)
        let property = random.pick(RandomStream.declared)
        if try await store.app(id: app.profile.id).properties.contains(property) {
            try await store.removeProperty(property.name, of: app)
        } else {
            try await store.declare(property, of: app)
        }
    }

    private func expectSameTimelines(_ app: App, _ seed: UInt64, _ pool: PostgresPool) async throws {
        let check = try await TimelineCheck.run(app, on: pool)
        #expect(check?.isSame != false, "seed \(seed): \(String(describing: check))")
    }

    /// Two people, one after the other, each named by some key of one of their events.
    ///
    /// - Returns: the events of the others.
    private func erasePeople(
        of apps: [App],
        from stored: [Event],
        seed: UInt64,
        _ pool: PostgresPool
    ) async throws -> [Event] {
        var random = SeededRandom(seed: seed &* 17 &+ 5)
        let store = try await PersonStore(
            pool: pool,
            spools: SpoolFolder(path: "/nonexistent", of: pool),
            packed: TimelineRemoval()
        )
        var left = stored
        for _ in 0..<2 {
            let people = Oracle.People(events: left)
            guard let chosen = left.filter({ people.person(of: $0) != nil }).randomElement(using: &random),
                let person = people.person(of: chosen), let key = EventKeys(chosen).owner
            else { break }
            let own = left.filter { people.person(of: $0) == person }
            for app in apps {
                let summary = try await store.summary(of: key, in: app)
                #expect(Set(summary.events.map(\.id)) == Set(own.map(\.id)), "seed \(seed), \(app.profile.id)")
                let receipt = try await store.erase(key, in: app)
                #expect(receipt?.counts["event"] == own.count, "seed \(seed), \(app.profile.id)")
                try await expectSameTimelines(app, seed, pool)
            }
            left.removeAll { people.person(of: $0) == person }
        }
        return left
    }
}
