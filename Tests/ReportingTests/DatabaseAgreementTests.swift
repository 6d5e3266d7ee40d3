import Events
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
@testable import Timelines

/// The same as the agreement in memory, through the whole product. The writer stores events batch by batch, shuffled
/// and partly repeated, and the report's SQL reads them back: from an app of which nothing is packed, or from one of
/// which, between batches and at random, events are packed, segments compacted, links and stories applied, and all
/// timelines rebuilt.
///
/// Or two people are deleted first. Reports are then as if none of their events had ever arrived. An event that was
/// dropped as a duplicate of a person's event, such as a post that another sender reported too, does not come back.
///
/// A stream is asked about in one way, by its seed; in the nightly run, in all of them.
@Suite("Agreement of the database with the oracle")
struct DatabaseAgreementTests {
    private enum Way: CaseIterable {
        case plain, packed
        /// Several reports in one pass over packed events, as a page of the dashboard asks for them.
        case together
        case afterDeletions
    }

    /// An app with a stream, the questions about it, and the random choices of a test.
    private struct Trial {
        let asked: AskedStream
        let way: Way
        let app: App
        let packer: TimelinePacker
        let pool: PostgresPool
        var random: SeededRandom

        var seed: UInt64 { asked.seed }

        mutating func sharing() -> ScanSharing { ScanSharing(connections: random.pick([1, 2, 3, 8]), forEach: 1) }
    }

    @Test(arguments: TestSeeds.seeds(20, in: 4)) func answersEveryQuestion(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with(poolSize: 8) { testing in
            for seed in seeds {
                let asked = try AskedStream(seed: seed)
                let one = Way.allCases[Int(seed % UInt64(Way.allCases.count))]
                for way in TestSeeds.isNightly ? Way.allCases : [one] {
                    try await expectAgreement(asked, way, testing.writer, testing.pool)
                }
            }
        }
    }

    private func expectAgreement(
        _ asked: AskedStream,
        _ way: Way,
        _ writer: EventWriter,
        _ pool: PostgresPool
    ) async throws {
        var random = SeededRandom(seed: asked.seed &* 977 &+ 11)
        let isPacked = way == .afterDeletions ? random.chance(70) : way != .plain
        let app = try await AppStore(pool: pool).made(
            "\(way)-\(asked.seed)".lowercased(),
            currency: RandomStream.currency,
            properties: isPacked ? RandomStream.declared.filter { _ in random.chance(80) } : []
        )
        var packer = TimelinePacker(app: app, pool: pool)
        packer.eventsAtOnce = Int(random.next() % 6) + 1
        var trial = Trial(asked: asked, way: way, app: app, packer: packer, pool: pool, random: random)
        try await store(&trial, isPacked: isPacked, writer)

        var left = asked.stream.events
        if way == .afterDeletions { left = try await erasePeople(of: trial, from: Oracle.stored(of: left)) }
        let answered = try zip(asked.questions, asked.answers(about: left))
            .filter { try $0.0.place != .memory && asked.isComparable($0.0, about: left) }
        if way == .together {
            try await expectTogether(answered, &trial)
        } else {
            for (question, answer) in answered { try await expect(answer, question, &trial) }
        }
        if isPacked {
            try await packer.apply()
            try await expectSameTimelines(trial)
        }
    }

    private func store(_ trial: inout Trial, isPacked: Bool, _ writer: EventWriter) async throws {
        let (stream, packer) = (trial.asked.stream, trial.packer)
        var (sent, duplicates) = (0, 0)
        for batch in stream.redelivered(seed: trial.seed &+ (isPacked ? 1 : 0)) {
            sent += batch.count
            duplicates += try await writer.store(batch, of: trial.app, receivedAt: stream.now).duplicates
            guard isPacked else { continue }
            if trial.random.chance(45) { try await packer.pack(limit: Int(trial.random.next() % 20) + 1) }
            if trial.random.chance(20) { try await packer.compact() }
            if trial.random.chance(15) { try await packer.apply() }
            if trial.random.chance(8) { try await packer.rebuild() }
            if trial.random.chance(15) { try await changeDeclarations(&trial) }
        }
        #expect(sent - duplicates == Oracle.stored(of: stream.events).count, "seed \(trial.seed)")
        if isPacked, trial.random.chance(60) { try await packer.rebuild() }
        try await expectSameTimelines(trial)
    }

    private func expect(_ answer: [[String]], _ question: OracleQuestion, _ trial: inout Trial) async throws {
        let sharing = trial.sharing()
        let request = try trial.asked.request(question, to: trial.app)
        let table = try await ReportRunner.run(request, on: trial.pool, sharing).table
        let way = "\(trial.app.profile.id), \(sharing.connections) connections"
        trial.asked.expect(table.rows.texts, answer, question, way)
    }

    /// Asks for every report beside others.
    private func expectTogether(_ questions: [(OracleQuestion, [[String]])], _ trial: inout Trial) async throws {
        var left = questions.shuffled(using: &trial.random)
        while !left.isEmpty {
            let some = left.prefix(Int.random(in: 1...20, using: &trial.random))
            left.removeFirst(some.count)
            let requests = try some.map { try trial.asked.request($0.0, to: trial.app) }
            let results = try await ReportRunner.run(requests, on: trial.pool, trial.sharing())
            for ((question, answer), result) in zip(some, results) {
                let way = "\(trial.app.profile.id), \(some.count) together"
                trial.asked.expect(result.table.rows.texts, answer, question, way)
            }
        }
    }

    /// Takes a declaration back, or declares what is not declared. Reports ask for all properties nevertheless.
    private func changeDeclarations(_ trial: inout Trial) async throws {
        let store = AppStore(pool: trial.pool)
        let property = trial.random.pick(RandomStream.declared)
        if try await store.app(id: trial.app.profile.id).properties.contains(property) {
            try await store.removeProperty(property.name, of: trial.app)
        } else {
            try await store.declare(property, of: trial.app)
        }
    }

    private func expectSameTimelines(_ trial: Trial) async throws {
        let check = try await TimelineCheck.run(trial.app, on: trial.pool)
        #expect(check?.isSame != false, "seed \(trial.seed), \(trial.way): \(String(describing: check))")
    }

    /// Two people, one after the other, each named by some key of one of their events.
    ///
    /// - Returns: the events of the others.
    private func erasePeople(of trial: Trial, from stored: [Event]) async throws -> [Event] {
        var random = SeededRandom(seed: trial.seed &* 17 &+ 5)
        let store = try await PersonStore(
            pool: trial.pool,
            spools: SpoolFolder(path: "/nonexistent", of: trial.pool),
            packed: TimelineRemoval()
        )
        var left = stored
        for _ in 0..<2 {
            let people = Oracle.People(events: left)
            guard let chosen = left.filter({ people.person(of: $0) != nil }).randomElement(using: &random),
                let person = people.person(of: chosen), let key = EventKeys(chosen).owner
            else { break }
            let own = left.filter { people.person(of: $0) == person }
            let summary = try await store.summary(of: key, in: trial.app)
            #expect(Set(summary.events.map(\.id)) == Set(own.map(\.id)), "seed \(trial.seed)")
            let receipt = try await store.erase(key, in: trial.app)
            #expect(receipt?.counts["event"] == own.count, "seed \(trial.seed)")
            try await expectSameTimelines(trial)
            left.removeAll { people.person(of: $0) == person }
        }
        return left
    }
}
