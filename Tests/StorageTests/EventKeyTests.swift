import Events
import Logging
import Postgres
import PostgresTesting
import RandomTesting
@testable import Storage
import Testing
import Time

/// docs/events.md, *Once*: an id is stored once for 30 days after its receipt, and for ever if `occurred_at` is the
/// same.
@Suite("Idempotency keys")
struct EventKeyTests {
    typealias Base = StorageTesting

    private static func at(_ days: Int) -> Timestamp { Base.noon.advanced(by: Base.day * days) }

    private static func event(_ number: UInt64, _ days: Int) -> Event {
        Base.event(number, at: at(days), user: "u\(number % 7)")
    }

    private func store(_ base: Base, _ events: [Event], on days: Int = 0) async throws -> WriteReceipt {
        try await base.writer.store(base.submission(events, receivedAt: Self.at(days)))
    }

    /// Runs the upkeep of a day.
    private func keep(_ base: Base, on days: Int = 0) async throws {
        _ = try await RetentionStore(pool: base.pool, packed: NothingPacked()).run(
            RetentionPolicy(events: nil, rejectedEvents: nil),
            app: nil,
            isThorough: false,
            now: Self.at(days)
        )
    }

    private func renew(_ base: Base, on days: Int = 0) async throws {
        try await base.pool.withConnection { try EventKeyRenewal(now: Self.at(days)).run(on: $0) }
    }

    /// As in a database that has had no renewal yet.
    private func setKeptFrom(_ base: Base, _ time: String) async throws {
        try await base.run("update event_key_set set kept_from = '\(time)'")
    }

    private func keys(_ base: Base) async throws -> Int { try await base.count("select count(*) from event_key") }

    @Test func goAfterAMonthAndTheirEventsAreStillStoredOnce() async throws {
        try await Base.with { base in
            for days in [-70, -40, -10] {
                _ = try await store(base, [Self.event(UInt64(-days), days)], on: days)
            }
            try await setKeptFrom(base, "-infinity")
            try await keep(base)
            #expect(try await keys(base) == 1)
            #expect(try await base.texts("select kept_from::text from event_key_set") == ["2026-02-12 12:00:00+00"])
            // Each in a group with a new event, and in a session that assumes that all events are new.
            for days in [-70, -40, -10] {
                let group = [Self.event(UInt64(-days), days), Self.event(UInt64(1_000 - days), -1)]
                let other = EventWriter(pool: base.pool, logger: Logger(label: "test"))
                let receipt = try await other.whileRunning { try await other.store(base.submission(group)) }
                #expect(receipt.duplicates == 1)
            }
            // Not a month has passed for this one.
            #expect(try await store(base, [Self.event(10, -9)]).duplicates == 1)
            #expect(try await base.count("select count(*) from event") == 6)
        }
    }

    @Test func areRenewedWhenTheOldestIsTwoMonthsOld() async throws {
        try await Base.with { base in
            try await setKeptFrom(base, "2026-01-14 12:00:00+00")
            for days in [-59, -20] { _ = try await store(base, [Self.event(UInt64(-days), days)], on: days) }
            try await keep(base)
            #expect(try await keys(base) == 2)
            try await keep(base, on: 3)
            #expect(try await keys(base) == 1)
        }
    }

    /// Keys that are written during a renewal are in the next set, and so are those from before.
    @Test func areWrittenTwiceDuringARenewal() async throws {
        try await Base.with { base in
            _ = try await store(base, [Self.event(1, -1), Self.event(2, -1)])
            try await base.run("select begin_event_key_renewal()")
            _ = try await store(base, [Self.event(2, -1), Self.event(3, -1)])
            #expect(try await base.count("select count(*) from event_key_next") == 1)
            // A second program continues.
            try await renew(base)
            #expect(try await keys(base) == 3)
            #expect(try await store(base, (1...4).map { Self.event($0, -2) }).duplicates == 3)
            #expect(try await base.count("select count(*) from pg_trigger where tgname = 'event_key_renewal'") == 0)
        }
    }

    @Test func storeOnceWhileTheyAreRenewedAgainAndAgain() async throws {
        try await Base.with { base in
            var limits = WriterLimits()
            limits.transactions = 3
            limits.groupedEvents = 40
            let writer = EventWriter(pool: base.pool, limits: limits, logger: Logger(label: "test"))
            try await writer.whileRunning {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for round in 0..<400 {
                        group.addTask {
                            // Each event comes four times, at other times, from other groups.
                            let first = UInt64(round % 100 * 20)
                            let events = (first..<first + 20).map { Self.event($0, -(round / 100) % 3) }
                            return try await writer.store(base.submission(events)).duplicates
                        }
                    }
                    group.addTask {
                        for _ in 0..<20 { try await renew(base) }
                        return 0
                    }
                    let duplicates = try await group.reduce(0, +)
                    #expect(duplicates == 6_000)
                }
            }
            #expect(try await base.count("select count(*) from event") == 2_000)
            #expect(try await keys(base) == 2_000)
        }
    }

    /// Random streams of events and retries over a year, with the upkeep at random days, against the promise.
    @Test(arguments: TestSeeds.seeds(1))
    func keepTheirPromise(seed: UInt64) async throws {
        struct Stored {
            var times: Set<Int>
            var firstReceipt: Int
        }
        try await Base.with { base in
            var random = SeededRandom(seed: seed)
            var stored: [UInt64: Stored] = [:]
            var today = -400
            for _ in 0..<60 {
                today += Int.random(in: 0...12, using: &random)
                if random.chance(40) { try await keep(base, on: today) }
                var group: [Event] = []
                var duplicates = 0...0
                for number in Set((0..<8).map { _ in UInt64.random(in: 0..<60, using: &random) }) {
                    let time: Int
                    if let known = stored[number], let old = known.times.sorted().first, random.chance(70) {
                        time = old
                    } else {
                        time = today - Int.random(in: 0...40, using: &random)
                    }
                    group.append(Self.event(number, time))
                    if let known = stored[number] {
                        if known.times.contains(time) || today - known.firstReceipt <= 30 {
                            duplicates = duplicates.lowerBound + 1...duplicates.upperBound + 1
                        } else {
                            // Nothing is promised: it may be stored again.
                            duplicates = duplicates.lowerBound...duplicates.upperBound + 1
                        }
                    }
                }
                let receipt = try await store(base, group, on: today)
                #expect(duplicates.contains(receipt.duplicates))
                let rows = try await base.pool.withConnection { connection in
                    try connection.query("select event_id, occurred_at from event").map { row in
                        let day = Duration.microseconds(try row.timestamp(1) - Base.noon.microseconds) / Base.day
                        return (try row.uuid(0).low, Int(day.rounded()))
                    }
                }
                var times: [UInt64: Set<Int>] = [:]
                for (number, time) in rows {
                    // Never twice with the same time.
                    #expect(times[number, default: []].insert(time).inserted)
                }
                for (number, times) in times {
                    stored[number] = Stored(times: times, firstReceipt: stored[number]?.firstReceipt ?? today)
                }
                for event in group { #expect(times[event.id.low] != nil) }
            }
        }
    }

    @Test func ofErasedEventsStay() async throws {
        try await Base.with { base in
            let own = Base.event(1, at: Self.at(-40), user: "alice")
            let recent = Base.event(2, at: Self.at(-1), user: "alice")
            _ = try await store(base, [own], on: -40)
            try await renew(base)
            _ = try await store(base, [recent, Self.event(3, -1)], on: -1)
            #expect(try await keys(base) == 2)
            // The renewal has begun and must not take the old value along.
            try await base.run("select begin_event_key_renewal()")
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
            try await renew(base)
            try await renew(base, on: 100)
            #expect(try await keys(base) == 2)
            // Received after the erasure, so only the keys can tell.
            let receipt = try await store(base, [own, recent], on: 1_000)
            #expect(receipt == WriteReceipt(duplicates: 2))
        }
    }

    @Test func goWithTheirApp() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            let other = try await store.app(id: "other")
            var submission = base.submission([Self.event(1, -1)])
            submission.appNumber = other.number
            _ = try await base.writer.store(submission)
            _ = try await self.store(base, [Self.event(1, -1)])
            try await base.run("select begin_event_key_renewal()")
            submission.events = [Self.event(2, -1)]
            _ = try await base.writer.store(submission)
            _ = try await store.delete(other, spools: nil)
            try await renew(base)
            #expect(try await base.texts("select app_number::text from event_key") == ["\(base.app.number)"])
        }
    }

    /// A dump holds the table for long. The upkeep gives up, writers go on, and a later run only takes the last step.
    @Test func waitForNoOneLong() async throws {
        try await Base.with { base in
            _ = try await store(base, [Self.event(1, -90)], on: -90)
            try await setKeptFrom(base, "-infinity")
            let dump = try await PostgresConnection.connect(to: base.database.address, options: PostgresOptions())
            _ = try await dump.run { connection in
                try connection.execute("begin")
                return try connection.query("select count(*) from event_key")[0].int(0)
            }
            try await keep(base)
            _ = try await store(base, [Self.event(2, -1)])
            #expect(try await keys(base) == 2)
            #expect(try await base.count("select count(*) from event_key_set where next_kept_from is not null") == 1)
            try await dump.run { _ = try $0.execute("commit") }
            await dump.close()
            try await keep(base)
            #expect(try await keys(base) == 1)
            #expect(try await store(base, [Self.event(1, -90), Self.event(2, -2)]).duplicates == 2)
        }
    }

    @Test func keepTheirRights() async throws {
        try await Base.with { base in
            let role = "writer_\(UInt32.random(in: 0...UInt32.max))"
            try await base.run("create role \(role); grant select, insert on event_key to \(role)")
            try await renew(base)
            let rights = "has_table_privilege('\(role)', 'event_key', 'select, insert')"
            #expect(try await base.count("select case when \(rights) then 1 else 0 end") == 1)
            #expect(
                try await base.count(
                    "select case when has_table_privilege('\(role)', 'event_key', 'update') then 1 else 0 end"
                ) == 0
            )
            try await base.run("drop owned by \(role); drop role \(role)")
        }
    }
}
