import Events
@testable import Reporting
import Testing
@testable import Timelines

/// What the fold of `generations` holds, of which the report says nothing.
@Suite("The fold of generations")
struct GenerationsFoldTests {
    private typealias E = OracleEvents

    private let dictionary = TimelineDictionary()

    /// - Parameter more: what each of some people who installed did, too.
    private func fold(people: Int, _ more: (Int) -> [TimelineEvent]) throws -> GenerationsFold {
        let request = try Asking.request("generations", ["from": "2026-01-01", "to": "2026-01-31"])
        let report = try #require(request.report as? GenerationsReport)
        var fold = report.makeFold(request.run(dictionary: dictionary))
        var person = PersonTimeline()
        for number in 0..<people {
            person.begin(isPerson: true)
            let id = EventID(high: 1, low: UInt64(number))
            person.append(TimelineEvent(occurredAt: E.time(0), id: id, type: .install))
            for event in more(number) { person.append(event) }
            person.finish()
            fold.add(person)
        }
        return fold
    }

    private func conversion(worth value: Int64) -> TimelineEvent {
        var event = TimelineEvent(occurredAt: E.time(1), id: EventID(high: 2, low: 0), type: .conversion)
        event.value = value
        event.currency = dictionary.code(of: "USD", as: .currency)
        return event
    }

    @Test func holdsNothingOfPeopleWhoDidNothingElse() throws {
        let alone = try fold(people: 20_000) { _ in [] }
        #expect(alone.size < 1_000)
        let paying = try fold(people: 20_000) { _ in [conversion(worth: 1_000_000)] }
        #expect(paying.size >= 20_000 * 48 && paying.size <= 20_000 * 52)
        for fold in [alone, paying] { #expect(try fold.finish().last?[1] == .integer(20_000)) }
    }

    @Test func holdsTheSumOfWhatIsMerged() throws {
        var fold = try fold(people: 5_000) { _ in [conversion(worth: 1)] }
        let other = try self.fold(people: 7_000) { _ in [conversion(worth: 1)] }
        let size = fold.size + other.size
        fold.merge(other)
        #expect(abs(fold.size - size) < 1_000)
        fold.merge(try self.fold(people: 3) { _ in [] })
        #expect(try fold.finish().last?[1] == .integer(12_003))
    }

    /// More than an entry of 64 bits has.
    @Test func sumsWhatNoEntryHolds() throws {
        let fold = try fold(people: 3) { number in
            number == 1 ? (0..<3).map { _ in conversion(worth: .max) } : []
        }
        #expect(try fold.finish().last?[8] == .decimal(millionths: 3 * Int128(Int64.max)))
    }

    @Test func growsPageByPage() {
        var array = PagedArray<Int>()
        let count = 2 * PagedArray<Int>.pageLength + 1
        for number in 0..<count { array.append(number) }
        array[count - 1] += 1
        array[0] = -1
        #expect(array.count == count && array.heldSize == count * 8)
        #expect(Array(array) == [-1] + Array(1..<count - 1) + [count])
        array.append(contentsOf: array)
        #expect(array.count == 2 * count && array[count] == -1 && array.last == count)
    }
}
