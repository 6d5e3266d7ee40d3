import Events
import InboundLinks
import Time
@testable import Reporting
import Testing
import RandomTesting
@testable import Timelines

/// Packed events come back unchanged.
@Suite("Segment")
struct SegmentTests {
    private static let month = RandomPackedEvents.start

    private func columns(_ bytes: [[UInt8]], _ body: ([UnsafeRawBufferPointer?]) -> Void) {
        var starts: [Int] = [0]
        for column in bytes { starts.append((starts.last ?? 0) + column.count) }
        bytes.flatMap { $0 }.withUnsafeBytes { all in
            body(bytes.indices.map { UnsafeRawBufferPointer(rebasing: all[starts[$0]..<starts[$0 + 1]]) })
        }
    }

    private func read(
        _ bytes: [[UInt8]],
        dictionary: TimelineDictionary,
        types: UInt64 = .max
    ) -> (events: [SegmentEvent], isBroken: Bool) {
        var events: [SegmentEvent] = []
        var isBroken = false
        columns(bytes) { columns in
            var reader = SegmentReader(columns, month: Self.month.microseconds, dictionary: dictionary)
            events = reader.rest(of: types)
            isBroken = reader.isBroken
        }
        return (events, isBroken)
    }

    @Test(arguments: TestSeeds.seeds(8)) func comesBack(seed: UInt64) {
        let dictionary = TimelineDictionary()
        let events = RandomPackedEvents.make(seed: seed, count: 600, dictionary: dictionary).sorted { $0 < $1 }
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
        let events = RandomPackedEvents.make(seed: 7, count: 600, dictionary: dictionary).sorted { $0 < $1 }
        let builder = SegmentBuilder(events[...], month: Self.month.microseconds, dictionary: dictionary)
        let back = read(builder.columns, dictionary: dictionary, types: 1 << UInt64(type.position))
        #expect(!back.isBroken)
        #expect(!back.events.isEmpty)
        #expect(back.events.map(\.event) == events.map(\.event).filter { $0.type == type })
    }

    /// No person equals `.end`, so a reader at a damaged person must not count as being at its end.
    @Test func isNotReadWholeIfAPersonIsDamaged() {
        let dictionary = TimelineDictionary()
        var event = RandomPackedEvents.make(seed: 1, count: 1, dictionary: dictionary)[0]
        for (person, isWhole) in [(PersonHash(high: .max, low: 1), true), (.end, false)] {
            event.person = person
            event.key = person
            let builder = SegmentBuilder([event], month: Self.month.microseconds, dictionary: dictionary)
            columns(builder.columns) { columns in
                var readers = [SegmentReader(columns, month: Self.month.microseconds, dictionary: dictionary)]
                var next = PersonHeap(of: readers)
                while let first = next.first {
                    readers[first.reader].skipRun()
                    next.advanceFirst(to: readers[first.reader].nextPerson)
                }
                #expect(readers[0].isReadWhole == isWhole)
            }
        }
    }

    /// Stored bytes may be damaged. Reading them may give nonsense, and must not end the program.
    @Test(arguments: TestSeeds.seeds(40)) func survivesDamage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let dictionary = TimelineDictionary()
        let events = RandomPackedEvents.make(seed: seed, count: 80, dictionary: dictionary).sorted { $0 < $1 }
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
        let back = read(bytes, dictionary: TimelineDictionary())
        // An event takes eight bytes of the first column, whatever the bytes say.
        #expect(back.events.count <= bytes[0].count / 8)
    }

    @Test func dictionariesThatShareTextsNumberThemAlike() {
        let texts = TimelineDictionary.makeSharedTexts()
        let (one, other) = (TimelineDictionary(sharing: texts), TimelineDictionary(sharing: texts))
        _ = one.refList(["a", "b"])
        _ = other.code(of: "x", as: .goal)
        let list = other.refList(["c"])
        #expect(one.code(of: "y", as: .goal) != other.code(of: "x", as: .goal))
        #expect(one.code(of: "x", as: .goal) == other.code(of: "x", as: .goal))
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
