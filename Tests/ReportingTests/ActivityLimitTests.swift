import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Testing
import Time
@testable import Timelines

/// The memory of `activity` is limited, and its figures do not depend on the limit.
@Suite("The limit of activity")
struct ActivityLimitTests {
    private typealias E = OracleEvents

    /// People of groups without counts are logged, by each of several folds.
    @Test(arguments: TestSeeds.seeds(20, in: 4)) func areTheSameWithoutMemoryForCounts(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed)
            for (key, limit) in [("ref", "2"), ("target_url", "1"), ("channel", "1"), ("platform", "50")] {
                let request = try Asking.request(
                    "activity",
                    ["from": stream.from.rfc3339, "to": stream.to.rfc3339, "by": key, "limit": limit],
                    now: stream.now
                )
                let report = try #require(request.report as? ActivityReport)
                let source = MemoryTimelines(stream.events, query: request.query)
                let run = request.run(dictionary: source.dictionary)
                func rows(_ countsLimits: [Int]) throws -> [[ReportCell]] {
                    var folds = countsLimits.map { ActivityFold(report, run, countsLimit: $0) }
                    var next = 0
                    try source.forEachPerson { person in
                        folds[next % folds.count].add(person)
                        next += 1
                    }
                    for fold in folds.dropFirst() { folds[0].merge(fold) }
                    return try folds[0].finish()
                }
                let expected = try rows([.max])
                for limits in [[0], [0, 0, 0], [0, .max], [.max, 0], [2_000, 0]] {
                    #expect(try rows(limits) == expected, "seed \(seed): by \(key), \(limits)")
                }
            }
        }
    }

    @Test func countsPeopleOfOthersOnce() throws {
        func touch(_ number: UInt64, _ user: String, refs: [String]) -> Event {
            E.event(number, at: Double(number), user: user, .inboundLink(E.touch(refs: refs)))
        }
        let events = [
            touch(1, "ann", refs: ["a"]), touch(2, "bob", refs: ["a", "b", "c"]), touch(3, "cid", refs: ["b"]),
        ]
        let rows = try Asking.rows("activity", ["period": "month", "by": "ref", "limit": "1"], of: events)
        #expect(
            rows.map { $0[1...2].joined(separator: " ") } == ["a 2", "(others) 2", "direct 0", "total 3"]
        )
    }

    /// Ten thousand values of a key, each of two people, for thirty days.
    @Test func keepsNoCountsOfManyGroups() throws {
        let report = try #require(try Asking.request("activity", ["by": "target_url"]).report as? ActivityReport)
        let request = try Asking.request("activity", ["from": "2026-01-01", "to": "2026-01-31", "by": "target_url"])
        let dictionary = TimelineDictionary()
        var fold = ActivityFold(report, request.run(dictionary: dictionary), countsLimit: 1 << 20)
        var person = PersonTimeline()
        for number in 0..<20_000 {
            person.begin(isPerson: true)
            var event = TimelineEvent(
                occurredAt: E.time(Double(number % 10) * E.day),
                id: EventID(high: 1, low: UInt64(number)),
                type: .inboundLink
            )
            event.channel = .search
            event.target = dictionary.code(of: "https://shop.example/\(number % 10_000)", as: .target)
            person.append(event)
            person.finish()
            fold.add(person)
        }
        #expect(fold.countsSize <= 2 << 20)
        let rows = try fold.finish()
        let others = rows.filter { $0[1] == .text("(others)") }
        let total = rows.filter { $0[1] == .text("total") }
        // Fifty groups of two people are shown.
        func active(_ rows: [[ReportCell]]) -> Int { rows.reduce(0) { $0 + (Int($1[2].plainText ?? "") ?? 0) } }
        #expect(active(others) == 20_000 - 100 && active(total) == 20_000)
    }
}
