import Events
import Time
@testable import Reporting
import Testing
import RandomTesting

@Suite("Times that a funnel keeps")
struct ElapsedTimesTests {
    /// Any times up to the longest window come back unchanged from any parts, in memory, in a file, or in both.
    @Test(arguments: TestSeeds.seeds(10), [0, 1000, .max])
    func areThoseThatWereAdded(seed: UInt64, inMemory: Int) throws {
        var random = SeededRandom(seed: seed)
        let limit: Int64 = random.pick([1, 1000, 1 << 32, 90 * 86_400_000_000])
        let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (0..<Int.random(in: 0...2000, using: &random)).map { _ in Int64.random(in: 0...limit, using: &random) }
        }
        // Two connections: each has some of the times.
        let stores = [TimesStore(limit: inMemory), TimesStore(limit: inMemory)]
        var joined = ElapsedTimes()
        for (number, part) in parts.enumerated() {
            let times = Self.times(part, in: stores[number % 2])
            #expect(try Self.values(times) == part)
            joined += times
        }
        let values = parts.flatMap { $0 }
        #expect(joined.count == values.count)
        #expect(try Self.values(joined) == values)
    }

    @Test func goToAFileBeyondTheLimit() throws {
        let store = TimesStore(limit: 1000)
        let place = store.add(Array(repeating: ElapsedTimes.Time(microseconds: 1), count: 1000))
        #expect(place == nil)
        let stored = try #require(store.add([ElapsedTimes.Time(microseconds: 90 * 86_400_000_000)]))
        #expect(try store.times(at: stored).map(\.microseconds) == [90 * 86_400_000_000])
    }

    @Test func stayInMemoryWhereThereIsNoRoomElsewhere() throws {
        let store = TimesStore(limit: 0, folder: "/nowhere")
        let values = (0..<10_000).map { Int64($0) }
        #expect(try Self.values(Self.times(values, in: store)) == values)
    }

    /// Enough people to fill pieces: the table is the same from memory, from a file, and after folds are merged.
    @Test(arguments: ["true", "false"]) func giveTheSameFunnel(times: String) throws {
        let request = try Asking.request(
            "funnel",
            [
                "steps": "inbound_link,conversion", "by": "channel", "times": times,
                "from": OracleEvents.span.from.rfc3339, "to": OracleEvents.span.to.rfc3339,
            ]
        )
        let events = (0..<2000).flatMap { person -> [Event] in
            let (user, start) = ("user-\(person)", Double(person))
            let (tap, buying) = (UInt64(person) * 2, UInt64(person) * 2 + 1)
            return [
                OracleEvents.event(tap, at: start, user: user, .inboundLink(OracleEvents.touch())),
                OracleEvents.event(buying, at: start + Double(person % 700), user: user, OracleEvents.conversion()),
            ]
        }
        let timelines = MemoryTimelines(events, query: request.query)
        func rows(inMemory limit: Int) throws -> [[ReportCell]] {
            try Self.rows(request.report, request, timelines, inMemory: limit)
        }
        let expected = try request.table(over: timelines).rows
        #expect(!expected.isEmpty)
        #expect(try rows(inMemory: .max) == expected)
        #expect(try rows(inMemory: 300) == expected)
        #expect(try rows(inMemory: 0) == expected)
    }

    private static func rows<R: Report>(
        _ report: R,
        _ request: ReportRequest,
        _ timelines: MemoryTimelines,
        inMemory limit: Int
    ) throws -> [[ReportCell]] {
        var folds = (0..<2).map { _ in
            var run = request.run(dictionary: timelines.dictionary)
            run.times = TimesStore(limit: limit)
            return report.makeFold(run)
        }
        var number = 0
        try timelines.forEachPerson { person in
            folds[number % 2].add(person)
            number += 1
        }
        var merged = folds[0]
        merged.merge(folds[1])
        return try merged.finish()
    }

    private static func times(_ values: [Int64], in store: TimesStore) -> ElapsedTimes {
        var times = ElapsedTimes()
        for value in values { times.append(value, to: store) }
        return times
    }

    private static func values(_ times: ElapsedTimes) throws -> [Int64] {
        var values: [Int64] = []
        try times.forEachPiece { values += $0 }
        return values
    }
}
