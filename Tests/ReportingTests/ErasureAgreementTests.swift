import Events
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
import RandomTesting
@testable import Timelines

/// After a person's deletion, reports are as if none of the person's events had ever arrived. Random streams are
/// stored, a person of each is deleted, and every report equals the oracle's over the other events.
///
/// An event that was dropped as a duplicate of the person's event, such as a post that another sender reported too,
/// does not come back.
@Suite("Reports after a person's deletion")
struct ErasureAgreementTests {
    private static let parts: [Range<UInt64>] = (0..<4).map { $0 * 12 + 9_000..<($0 + 1) * 12 + 9_000 }

    @Test(arguments: parts) func areThoseOfTheOthers(seeds: Range<UInt64>) async throws {
        try await TestDatabases.withDatabase(
            migrate: { pool in _ = try await pool.withConnection { try Migrator().migrate($0) } }
        ) { database in
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                for seed in seeds { try await expectAgreement(seed: seed, writer: writer, pool: database.pool) }
            }
        }
    }

    private func expectAgreement(seed: UInt64, writer: EventWriter, pool: PostgresPool) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 4 == 0)
        let apps = AppStore(pool: pool)
        var profile = AppProfile(id: "app-\(seed)", name: "Random")
        profile.currency = RandomStream.currency
        _ = try await apps.create(profile)
        let app = try await apps.app(id: profile.id)
        try await pool.giveLink(to: app)
        let packer = TimelinePacker(app: app, pool: pool)
        var packing = SeededRandom(seed: seed &* 31 &+ 7)
        for batch in stream.redelivered(seed: seed) {
            try await writer.store(batch, of: app, receivedAt: stream.now)
            if packing.chance(30) { try await packer.pack() }
            if packing.chance(15) { try await packer.apply() }
        }

        // Two people, one after the other, each named by some key of one of their events.
        var random = SeededRandom(seed: seed &* 17 &+ 5)
        var left = Oracle.stored(of: stream.events)
        let store = try await PersonStore(
            pool: pool,
            spools: SpoolFolder(path: "/nonexistent", of: pool),
            packed: TimelineRemoval()
        )
        for _ in 0..<2 {
            let people = Oracle.People(events: left)
            guard let chosen = left.filter({ people.person(of: $0) != nil }).randomElement(using: &random),
                let person = people.person(of: chosen), let key = EventKeys(chosen).owner
            else { break }
            let (own, others) = (
                left.filter { people.person(of: $0) == person }, left.filter { people.person(of: $0) != person }
            )
            let summary = try await store.summary(of: key, in: app)
            #expect(Set(summary.events.map(\.id)) == Set(own.map(\.id)), "seed \(seed)")
            let receipt = try await store.erase(key, in: app)
            #expect(receipt?.counts["event"] == own.count, "seed \(seed)")
            left = others
        }
        let check = try await TimelineCheck.run(app, on: pool)
        #expect(check?.isSame != false, "seed \(seed): \(String(describing: check))")

        var remaining = stream
        remaining.events = left
        for question in questions(seed: seed, stream) {
            let request = try ReportRequest.parse(
                name: question.name,
                parameters: question.parameters,
                origin: .http,
                app: app,
                now: stream.now
            )
            let table = try await ReportRunner.run(request, on: pool).table
            let told = table.rows.map { row in row.map { $0.plainText ?? "" } }
            #expect(told == question.answer(about: remaining), "seed \(seed): \(question.name) \(question.parameters)")
        }
    }

    private func questions(seed: UInt64, _ stream: RandomStream) -> [OracleQuestion] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [OracleQuestion] = []
        let (channels, refs, funnel) = (questions.channels(), questions.refs(), questions.funnel())
        if !channels.span.isEmpty { asked.append(.channels(channels)) }
        if !refs.span.isEmpty { asked.append(.refs(refs)) }
        if !funnel.span.isEmpty {
            asked.append(.installs(funnel))
            if funnel.hasGroups { asked.append(.funnel(funnel)) }
        }
        let (attribution, retention, paths) = (questions.attribution(), questions.retention(), questions.paths())
        if !attribution.span.isEmpty { asked.append(.attribution(attribution)) }
        if !retention.span.isEmpty { asked.append(.retention(retention)) }
        if !paths.span.isEmpty { asked.append(.paths(paths)) }
        let span = questions.span()
        if !span.isEmpty {
            asked += [.posts(span, by: questions.period()), .goals(span), .logins(span)]
        }
        return asked
    }
}
