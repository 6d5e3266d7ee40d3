@testable import Reporting
import Testing

@Suite("When to pack")
struct PackingPaceTests {
    private typealias Pace = PackingPace
    private let start = ContinuousClock.now

    /// Looks every five seconds, at tails in order; 1,000,000 events are packed.
    private func steps(_ tails: [Int], packed: Int = 1_000_000, _ pace: inout PackingPace) -> [PackingPace.Step] {
        tails.enumerated().map { index, tail in
            pace.look(tail: tail, packed: packed, at: start.advanced(by: .seconds(5 * index)))
        }
    }

    @Test(
        arguments: [
            // The first look only sees how much there is.
            ([50_000, 50_000], 1_000_000, [.nothing, .packAll]),
            // 2 %, and not less than is worth it; 100,000 whatever there is.
            ([0, 19_999, 20_000], 1_000_000, [.nothing, .nothing, .packAll]),
            ([0, 9_999, 10_000], 0, [.nothing, .nothing, .packAll]),
            ([90_000, 99_999, 100_000], 50_000_000, [.nothing, .nothing, .packAll]),
            // More than 5,000 a second, and 200,000 in the tail.
            ([0, 60_000, 120_000, 180_000, 240_000], 1_000_000, [.nothing, .nothing, .nothing, .nothing, .packPiece]),
            // The load is over.
            ([0, 60_000, 120_000, 121_000], 1_000_000, [.nothing, .nothing, .nothing, .packAll]),
            // Most of the events are new.
            ([1_600_000, 1_600_000], 700_000, [.nothing, .rebuild]),
            ([1_600_000, 1_600_000], 900_000, [.nothing, .packAll]),
        ] as [([Int], Int, [PackingPace.Step])]
    )
    func isByTheTailAndHowItGrows(tails: [Int], packed: Int, expected: [PackingPace.Step]) {
        var pace = PackingPace()
        #expect(steps(tails, packed: packed, &pace) == expected)
    }

    @Test func restsBetweenPiecesWhileManyComeIn() {
        var pace = PackingPace()
        #expect(steps([100_000, 300_000], &pace) == [.nothing, .packPiece])
        var now = start.advanced(by: .seconds(5))
        pace.worked(leaving: 100_000, from: now, to: now.advanced(by: .seconds(2)))
        // Nine times two seconds, from its end.
        for (seconds, step) in [(7, PackingPace.Step.nothing), (12, .nothing), (17, .nothing), (21, .packPiece)] {
            now = start.advanced(by: .seconds(5 + seconds))
            let next = pace.look(tail: 100_000 + 20_000 * seconds, packed: 1_200_000, at: now)
            #expect(next == step, "after \(seconds) s")
        }
    }

    @Test func doesNotRestWhenTheTailIsLongOrTheLoadIsOver() {
        var pace = PackingPace()
        #expect(steps([100_000, 300_000], &pace) == [.nothing, .packPiece])
        let end = start.advanced(by: .seconds(10))
        pace.worked(leaving: 100_000, from: start.advanced(by: .seconds(5)), to: end)
        var urgent = pace
        let now = end.advanced(by: .seconds(1))
        #expect(urgent.look(tail: PackingPace.urgentTail, packed: 1_200_000, at: now) == .packPiece)
        #expect(pace.look(tail: 120_000, packed: 1_200_000, at: now) == .packAll)
    }
}
