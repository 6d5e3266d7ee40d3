import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Testing
import Time
@testable import Timelines

/// What `changes` promises beside the figures, which the oracle checks.
@Suite("Changes")
struct ChangesReportTests {
    private typealias E = OracleEvents

    /// A tap of a person, and the install after it.
    private static func taps(
        _ number: UInt64,
        on day: Double,
        _ channel: Channel = .storyLinks,
        refs: [String] = [],
        installs: Bool = true
    ) -> [Event] {
        let user = "u\(number)"
        let tap = E.event(2 * number, at: day * E.day, user: user, .inboundLink(E.touch(channel, refs: refs)))
        return installs ? [tap, E.event(2 * number + 1, at: day * E.day + 60, user: user, E.install)] : [tap]
    }

    /// Without the p-value.
    private static func figures(_ rows: [[String]]) -> [[String]] { rows.map { Array($0.dropLast()) } }

    @Test func divideATouchAmongItsRefs() throws {
        let taps = [
            Self.taps(1, on: -5, refs: ["gift"]), Self.taps(2, on: -5, refs: ["gift"]),
            Self.taps(3, on: -5, refs: ["gift"]), Self.taps(4, on: -4, refs: ["gift", "boast"]),
            Self.taps(5, on: 1, refs: ["boast"]), [E.event(99, at: E.day, user: "fay", E.install)],
        ]
        let events = taps.flatMap { $0 }
        #expect(
            Self.figures(try Asking.rows("changes", ["by": "ref"], of: events)) == [
                ["gift", "3.5", "0", "-3.5", "1.750000", "", ""], ["direct", "0", "1", "1", "-0.500000", "", ""],
                ["boast", "0.5", "1", "0.5", "-0.250000", "", ""], ["total", "4", "2", "-2", "1.000000", "", ""],
            ]
        )
        #expect(
            Self.figures(try Asking.rows("changes", ["by": "ref,channel", "limit": "1"], of: events)) == [
                ["gift", "story_links", "3.5", "0", "-3.5", "1.750000", "", ""],
                ["(others)", "", "0.5", "2", "1.5", "-0.750000", "", ""],
                ["total", "", "4", "2", "-2", "1.000000", "", ""],
            ]
        )
    }

    /// The rate of `search` is the same, and that of `other`, which had nobody install, is of nobody any more.
    @Test func tellTheMixFromTheRate() throws {
        let taps = [
            Self.taps(1, on: -5, .search), Self.taps(2, on: -5, .search, installs: false),
            Self.taps(3, on: -5, .other, installs: false), Self.taps(4, on: -5, .other, installs: false),
            Self.taps(5, on: 1, .search), Self.taps(6, on: 1, .search), Self.taps(7, on: 1, .search, installs: false),
            Self.taps(8, on: 1, .search, installs: false),
        ]
        let events = taps.flatMap { $0 }
        #expect(
            Self.figures(try Asking.rows("changes", ["metric": "install_rate"], of: events)) == [
                ["other", "0.000000", "", "", "0.750000", "0.000000", "0.187500"],
                ["search", "0.500000", "0.500000", "0.000000", "0.250000", "0.000000", "0.062500"],
                ["total", "0.250000", "0.500000", "0.250000", "1.000000", "0.000000", "0.250000"],
            ]
        )
    }

    /// Somebody is in the group of the first touch of each range; whoever has none is active, too.
    @Test func countAPersonOnce() throws {
        let events = [
            E.event(1, at: -5 * E.day, user: "ann", .inboundLink(E.touch(.search))),
            E.event(2, at: -4 * E.day, user: "ann", .inboundLink(E.touch(.other))),
            E.event(3, at: 1 * E.day, user: "ann", .inboundLink(E.touch(.other))),
            E.event(4, at: 2 * E.day, user: "ann", .inboundLink(E.touch(.search))),
            E.event(5, at: 1 * E.day, user: "bob", .appOpen),
        ]
        func rows(_ metric: String) throws -> [String] {
            try Asking.rows("changes", ["metric": metric], of: events).map { $0[0...3].joined(separator: " ") }
        }
        #expect(try rows("people") == ["search 1 0 -1", "other 0 1 1", "total 1 1 0"])
        #expect(try rows("active") == ["search 1 0 -1", "other 0 1 1", "(none) 0 1 1", "total 1 2 1"])
    }

    /// "Rows sum to `total` in each column that adds up, to the last digit", with any limit.
    @Test(arguments: ChangeMetric.allCases) func addUpToTheTotal(metric: ChangeMetric) throws {
        for seed in TestSeeds.seeds(15) {
            let stream = RandomStream.make(seed: seed)
            let events = MemoryEvents(stream.events)
            for (by, limit) in [("ref", 1), ("ref,platform", 50), ("channel", 2), ("country", 50)] {
                let table = try table(
                    "changes",
                    [("metric", metric.rawValue), ("by", by), ("limit", "\(limit)")],
                    of: stream,
                    events
                )
                let total = try #require(table.rows.last)
                func column(_ name: String) throws -> Int {
                    try #require(table.columns.firstIndex { $0.name == name })
                }
                func sum(_ name: String) throws -> Int128 {
                    let position = try column(name)
                    return table.rows.dropLast().reduce(0) { $0 + ($1[position].inMillionths ?? 0) }
                }
                let place = "seed \(seed): \(metric) by \(by), \(limit)"
                let change = total[try column("change")].inMillionths
                if metric.isRate {
                    let effects = try ["rate_effect", "mix_effect"].map(sum)
                    #expect(effects[0] + effects[1] == change ?? 0, "\(place)")
                    if change != nil {
                        #expect(total[try column("rate_effect")].inMillionths == effects[0], "\(place)")
                        #expect(total[try column("mix_effect")].inMillionths == effects[1], "\(place)")
                    }
                } else {
                    for name in ["before", "after", "change"] {
                        #expect(try sum(name) == total[try column(name)].inMillionths, "\(place), \(name)")
                    }
                }
            }
        }
    }

    /// The totals are those of `breakdown`, of both ranges.
    @Test(arguments: [
        ("touches", "touches"), ("people", "people"), ("installs", "installs"), ("conversions", "conversions"),
        ("value", "value"), ("install_rate", "install_rate"), ("conversion_rate", "conversion_rate"),
    ])
    func agreeWithTheBreakdown(metric: String, column: String) throws {
        for seed in TestSeeds.seeds(15) {
            let stream = RandomStream.make(seed: seed)
            let events = MemoryEvents(stream.events)
            let changes = try table("changes", [("metric", metric)], of: stream, events)
            let breakdown = try table("breakdown", [("rates", "on"), ("compare-previous", "on")], of: stream, events)
            func total(_ table: ReportTable, _ name: String) throws -> ReportCell? {
                let position = try #require(table.columns.firstIndex { $0.name == name })
                return table.rows.last?[position]
            }
            for (own, other) in [("after", column), ("before", "previous_\(column)")] {
                let cells = [try total(changes, own), try total(breakdown, other)]
                #expect(cells[0]?.inMillionths == cells[1]?.inMillionths, "seed \(seed): \(metric), \(own)")
            }
        }
    }

    /// Over the later half of a stream.
    private func table(
        _ report: String,
        _ parameters: [(name: String, value: String)],
        of stream: RandomStream,
        _ events: MemoryEvents
    ) throws -> ReportTable {
        let half = (stream.to.microseconds - stream.from.microseconds) / 2
        let span = Oracle.Span(from: stream.from.advanced(by: .microseconds(half)), to: stream.to)
        let request = try ReportRequest.parse(
            name: report,
            parameters: OracleQuestion.range(span) + parameters,
            origin: .http,
            app: Asking.app(currency: RandomStream.currency),
            now: stream.now
        )
        return try request.table(over: MemoryTimelines(events, query: request.query))
    }

    @Test func tellNoChangeSinceBeforeTheFirstEvent() throws {
        var request = try Asking.request("changes", ["from": "2026-01-05", "to": "2026-01-15"])
        let events = Self.taps(1, on: 1)
        request.firstEvent = E.time(E.day)
        let rows = try request.table(over: MemoryTimelines(events, query: request.query)).rows.texts
        #expect(rows == [["story_links", "", "1", "", "", "", "", ""], ["total", "", "1", "", "", "", "", ""]])
        let warning = try #require(ReportWarning(of: request))
        #expect(warning.message.text(for: .http).hasPrefix("no comparison: the app's first event is of 2026-01-06"))
    }

    @Test func refuseWhatMeansNothing() {
        #expect(throws: ReportError.self) { try Asking.request("changes", ["metric": "touches", "goal": "buy"]) }
        #expect(throws: ReportError.self) { try Asking.request("changes", ["metric": "people", "lookback": "1d"]) }
        #expect(throws: ReportError.self) { try Asking.request("changes", ["by": "channel,channel"]) }
        #expect(throws: ReportError.self) { try Asking.request("changes", ["by": "day"]) }
    }

    // MARK: Tests of sums

    @Test func testCountsByTheirConditionalDistribution() throws {
        func count(_ count: Double, each: Double = 1, days: Double = 1) -> PeopleSum {
            PeopleSum(sum: count, squares: count * each, length: days)
        }
        func pValue(_ one: PeopleSum, _ other: PeopleSum) throws -> Double {
            try #require(SumTest.pValue(ofCounts: one, other))
        }
        // Half of the chance that five of five are on one side, twice.
        #expect(abs(try pValue(count(5), count(0)) - 1.0 / 32) < 1e-12)
        #expect(abs(try pValue(count(0), count(5)) - 1.0 / 32) < 1e-12)
        #expect(abs(try pValue(count(7), count(7)) - 1) < 1e-12)
        // Five people with two each, or with a half.
        #expect(abs(try pValue(count(10, each: 2), count(0, each: 2)) - 1.0 / 32) < 1e-12)
        #expect(abs(try pValue(count(2.5, each: 0.5), count(0)) - 1.0 / 32) < 1e-12)
        // One in two days, and none in one.
        #expect(abs(try pValue(count(1, days: 2), count(0)) - 2.0 / 3) < 1e-12)
        // As the normal distribution for large ones.
        #expect(abs(try pValue(count(1_000_000), count(1_003_000)) - 0.0339) < 0.001)
        #expect(SumTest.pValue(ofCounts: count(0), count(0)) == nil)
    }

    @Test func testAmountsByWhatPeopleAdd() throws {
        let three = PeopleSum(sum: 30, squares: 300, length: 1)
        let nothing = PeopleSum(sum: 0, squares: 0, length: 1)
        let pValue = try #require(SumTest.pValue(ofAmounts: three, nothing))
        #expect(abs(pValue - 0.083_264_5) < 1e-6)
        #expect(SumTest.pValue(ofAmounts: nothing, nothing) == nil)
    }

    /// Before a range in the hour that is repeated when clocks are put back, there may be an empty one.
    @Test func testNoRangeWithoutLength() {
        let some = PeopleSum(sum: 30, squares: 300, length: 1)
        let empty = PeopleSum(sum: 0, squares: 0, length: 0)
        for (one, other) in [(some, empty), (empty, some)] {
            #expect(SumTest.pValue(ofAmounts: one, other) == nil)
            #expect(SumTest.pValue(ofCounts: one, other) == nil)
        }
    }

    /// 10 and 20 people with 0.0004 each, as of advertisements: z is 10 / √30.
    @Test func testSmallAmounts() throws {
        let events = (0..<30).map { number in
            E.event(number, at: (number < 10 ? -5 : 1) * E.day, user: "u\(number)", E.conversion("ad", 400))
        }
        let rows = try Asking.rows("changes", ["metric": "value"], of: events)
        let pValue = try #require(rows.last?.last.flatMap { Double($0) })
        #expect(abs(pValue - 0.067_889) < 1e-6)
    }

    /// Which groups have rows does not matter.
    @Test func correctForAllGroups() throws {
        let events =
            (0..<9).flatMap { Self.taps($0, on: -5, refs: ["gift"]) }
            + (10..<14).flatMap { Self.taps($0, on: 1, refs: ["boast"]) } + Self.taps(20, on: 1, refs: ["ask"])
        let pValues = try ["1", "2", "50"].map {
            try Asking.rows("changes", ["by": "ref", "limit": $0], of: events)[0].last
        }
        #expect(Set(pValues).count == 1 && pValues[0] != "")
    }

    // MARK: Simulation

    /// Two weeks of installs by four channels, each a person with a tap.
    private struct Weeks: TimelineSource {
        static let means: [(channel: Channel, mean: Double)] = [
            (.storyLinks, 150), (.search, 180), (.other, 90), (.requests, 300),
        ]

        let dictionary = TimelineDictionary()
        private var people: [[TimelineEvent]] = []

        /// - Parameter fall: of the installs by the first channel, in the later week.
        init(fall: Double, _ random: inout SeededRandom) {
            for week in 0..<2 {
                for (position, (channel, mean)) in Self.means.enumerated() {
                    let factor = week == 1 && position == 0 ? 1 - fall : 1
                    for _ in 0..<random.poisson(mean * factor) { add(channel, week, &random) }
                }
            }
        }

        private mutating func add(_ channel: Channel, _ week: Int, _ random: inout SeededRandom) {
            let second = Double(Int.random(in: 0..<600_000, using: &random) + week * 604_800)
            let number = UInt64(2 * people.count)
            var tap = TimelineEvent(
                occurredAt: E.time(second),
                id: EventID(high: 0, low: number),
                type: .inboundLink
            )
            tap.channel = channel
            let install = TimelineEvent(
                occurredAt: E.time(second + 60),
                id: EventID(high: 0, low: number + 1),
                type: .install
            )
            people.append([tap, install])
        }

        func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
            var timeline = PersonTimeline()
            for events in people {
                timeline.begin(isPerson: true)
                for event in events { timeline.append(event) }
                timeline.finish()
                try body(timeline)
            }
        }
    }

    /// - Returns: the rows without `total`: names with p-values.
    private static func rows(fall: Double, _ random: inout SeededRandom) throws -> [(name: String, pValue: Double)] {
        let request = try Asking.request("changes", ["from": "2026-01-12", "to": "2026-01-19"])
        let rows = try request.table(over: Weeks(fall: fall, &random)).rows.dropLast()
        return rows.map { row in
            guard case .probability(let pValue)? = row.last else { return (row[0].plainText ?? "", 1) }
            return (row[0].plainText ?? "", pValue)
        }
    }

    /// One channel's installs fall by 60 %.
    @Test func findAPlantedCause() throws {
        var random = SeededRandom(seed: TestSeeds.first)
        var found = 0
        for _ in 0..<100 {
            let first = try #require(try Self.rows(fall: 0.6, &random).first)
            if first.name == "story_links", first.pValue < significanceLevel { found += 1 }
        }
        #expect(found >= 95, "seed \(TestSeeds.first)")
    }

    /// In weeks alike, a row is said to have changed in one of twenty weeks; four standard deviations for chance.
    @Test func areSeldomWrong() throws {
        var random = SeededRandom(seed: TestSeeds.first)
        var alarms = 0
        for _ in 0..<100 {
            if try Self.rows(fall: 0, &random).contains(where: { $0.pValue < significanceLevel }) { alarms += 1 }
        }
        #expect(alarms <= 14, "seed \(TestSeeds.first)")
    }
}

extension ReportCell {
    fileprivate var inMillionths: Int128? {
        switch self {
        case .integer(let number): Int128(number) * 1_000_000
        case .decimal(let millionths): millionths
        case .fraction(let millionths): Int128(millionths)
        default: nil
        }
    }
}
