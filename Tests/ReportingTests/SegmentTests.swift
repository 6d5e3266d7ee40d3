import Events
import InboundLinks
@testable import Reporting
import Testing

/// What is packed comes back.
@Suite("Segment")
struct SegmentTests {
    private static let month = Timestamp(microseconds: 1_767_225_600_000_000)

    private func randomEvents(
        seed: UInt64,
        count: Int,
        dictionary: TimelineDictionary
    ) -> [PackedEvent] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let person = PersonHash(high: random.pick([1, 2, .max]), low: random.pick([1, 7]))
            let isNobodys = random.chance(10)
            let time = Self.month.advanced(by: .microseconds(Int64.random(in: 0..<31 * 86_400_000_000, using: &random)))
            var event = TimelineEvent(
                occurredAt: time,
                id: EventID(high: random.next(), low: UInt64(number)),
                type: random.pick(EventType.allCases)
            )
            event.platform = random.pickOrNone(Platform.allCases, percent: 70)
            switch event.type {
            case .inboundLink, .linkClick, .install:
                event.channel = random.pick(Channel.allCases)
                event.authenticated = random.chance(50)
                event.deferred = random.chance(30)
                if random.chance(30) { event.clickedAt = time.advanced(by: .seconds(-5)) }
                event.referer = random.chance(50) ? dictionary.referer("Facebook") : .none
                event.target = dictionary.target("https://example.com/\(random.pick(Array(0..<400)))")
                event.refs = dictionary.refList(random.pick([[], ["gift"], ["gift", "boast"], [""]]))
            case .feedPost:
                event.outcome = random.pick(PostOutcome.allCases)
                event.composer = random.pickOrNone(Composer.allCases, percent: 80)
                event.refs = dictionary.refList(["ask"])
            case .conversion:
                event.goal = dictionary.goal(random.pick(["buy", "level"]))
                if random.chance(50) {
                    event.currency = dictionary.currency("USD")
                    event.value = random.pick([0, -1, 123_456_789])
                }
            case .authentication: break
            }
            let key = random.chance(30) ? PersonHash(high: 9, low: random.pick([3, 4])) : person
            var packed = PackedEvent(
                person: isNobodys ? nil : person,
                key: isNobodys ? PersonHash(high: 0, low: 0) : key,
                event: event
            )
            if event.channel != nil, random.chance(30) { packed.story = EventID(high: 5, low: random.next()) }
            return packed
        }
    }

    private func columns(_ bytes: [[UInt8]], _ body: (SegmentReader.Columns) -> Void) {
        // `strands`, `ids`, `refs`, `stories`, `clicks`, `goals`, `amounts`, `referers`, `targets`.
        var starts: [Int] = [0]
        for column in bytes { starts.append((starts.last ?? 0) + column.count) }
        bytes.flatMap { $0 }.withUnsafeBytes { all in
            func column(_ index: Int) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: all[starts[index]..<starts[index + 1]])
            }
            body(
                SegmentReader.Columns(
                    strands: column(0),
                    ids: column(1),
                    clicks: column(4),
                    refs: column(2),
                    stories: column(3),
                    goals: column(5),
                    amounts: column(6),
                    referers: column(7),
                    targets: column(8)
                )
            )
        }
    }

    private func read(
        _ bytes: [[UInt8]],
        dictionary: TimelineDictionary,
        types: UInt64 = .max
    ) -> (events: [PackedEvent], isBroken: Bool) {
        var events: [PackedEvent] = []
        var isBroken = false
        columns(bytes) { columns in
            var reader = SegmentReader(columns, month: Self.month.microseconds, dictionary: dictionary)
            while !reader.isAtEnd {
                let head = reader.head
                for _ in 0..<head.count {
                    var story = EventID(high: 0, low: 0)
                    guard let event = reader.event(&story, of: types) else { continue }
                    events.append(
                        PackedEvent(
                            person: head.isNobodys ? nil : reader.person,
                            key: head.isNobodys ? PersonHash(high: 0, low: 0) : reader.key,
                            event: event,
                            story: story
                        )
                    )
                }
                reader.advance()
            }
            isBroken = reader.isBroken
        }
        return (events, isBroken)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func comesBack(seed: UInt64) {
        let dictionary = TimelineDictionary()
        let events = randomEvents(seed: seed, count: 600, dictionary: dictionary).sorted { $0 < $1 }
        let builder = SegmentBuilder(events[...], month: Self.month.microseconds, dictionary: dictionary)
        #expect(builder.eventCount == events.count)
        let back = read(builder.columns, dictionary: dictionary)
        #expect(!back.isBroken)
        #expect(back.events.map(\.event) == events.map(\.event))
        #expect(back.events.map(\.person) == events.map(\.person))
        #expect(back.events.map(\.key) == events.map(\.key))
        #expect(back.events.map(\.story) == events.map(\.story))
    }

    @Test(arguments: EventType.allCases) func passesOverOtherTypes(type: EventType) {
        let dictionary = TimelineDictionary()
        let events = randomEvents(seed: 7, count: 600, dictionary: dictionary).sorted { $0 < $1 }
        let builder = SegmentBuilder(events[...], month: Self.month.microseconds, dictionary: dictionary)
        let back = read(builder.columns, dictionary: dictionary, types: 1 << UInt64(type.position))
        #expect(!back.isBroken)
        #expect(!back.events.isEmpty)
        #expect(back.events.map(\.event) == events.map(\.event).filter { $0.type == type })
    }

    /// What a database holds may be damaged: reading it may give nonsense, and must not end the program.
    @Test(arguments: 0..<60 as Range<UInt64>) func survivesDamage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let dictionary = TimelineDictionary()
        let events = randomEvents(seed: seed, count: 80, dictionary: dictionary).sorted { $0 < $1 }
        var bytes = SegmentBuilder(events[...], month: Self.month.microseconds, dictionary: dictionary).columns
        let column = Int.random(in: 0..<bytes.count, using: &random)
        if bytes[column].isEmpty || random.chance(50) {
            bytes[column] = Array(bytes[column].prefix(bytes[column].count / 2))
        } else {
            for _ in 0..<4 {
                let place = Int.random(in: 0..<bytes[column].count, using: &random)
                bytes[column][place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        _ = read(bytes, dictionary: TimelineDictionary())
    }

    @Test func dictionariesThatShareTextsNumberThemAlike() {
        let texts = TimelineDictionary.makeSharedTexts()
        let (one, other) = (TimelineDictionary(sharing: texts), TimelineDictionary(sharing: texts))
        _ = one.refList(["a", "b"])
        _ = other.goal("x")
        let list = other.refList(["c"])
        #expect(one.goal("y") != other.goal("x"))
        #expect(one.goal("x") == other.goal("x"))
        #expect(one.refList(["c"]) == list)
        #expect(other.refList(["a", "b"]) == one.refList(["a", "b"]))
        _ = other.refList(["d", "a"])
        one.catchUp()
        #expect(one.refs(of: one.refList(["d", "a"])).map { one.refs.text(of: $0) } == ["d", "a"])
        #expect(Array(one.refs(of: list)) == Array(other.refs(of: list)))
    }

    @Test(arguments: [
        ("2026-01-01T00:00:00Z", "2026-01-01"), ("2026-01-31T23:59:59.999999Z", "2026-01-01"),
        ("2024-02-29T12:00:00Z", "2024-02-01"), ("1969-12-31T23:59:59Z", "1969-12-01"),
        ("2026-12-31T23:00:00Z", "2026-12-01"), ("2000-03-01T00:00:00Z", "2000-03-01"),
    ]) func knowsTheMonthOfAnInstant(instant: String, month: String) throws {
        #expect(try #require(Timestamp(rfc3339: instant)).monthText == month)
    }
}
