@testable import Reporting
import Testing
@testable import Timelines

@Suite("When to pack")
struct PackingPolicyTests {
    private typealias Pace = PackingPolicy
    private let start = ContinuousClock.now

    /// The steps for deltas that are counted every five seconds, with 1,000,000 packed events.
    private func steps(_ deltas: [Int], packed: Int = 1_000_000, _ policy: inout PackingPolicy) -> [PackingPolicy.Step]
    {
        deltas.enumerated().map { index, delta in
            policy.step(delta: delta, packed: packed, at: start.advanced(by: .seconds(5 * index)))
        }
    }

    @Test(
        arguments: [
            // The first count only measures.
            ([50_000, 50_000], 1_000_000, [.nothing, .packAll]),
            // 2 %, but at least the minimum and at most 30,000.
            ([0, 19_999, 20_000], 1_000_000, [.nothing, .nothing, .packAll]),
            ([0, 9_999, 10_000], 0, [.nothing, .nothing, .packAll]),
            ([25_000, 29_999, 30_000], 50_000_000, [.nothing, .nothing, .packAll]),
            // More than 5,000 a second, and 150,000 in the delta.
            (
                [0, 60_000, 120_000, 149_999, 180_000], 1_000_000,
                [.nothing, .nothing, .nothing, .nothing, .packPiece]
            ),
            // First some events arrive, then hardly any.
            ([0, 60_000, 120_000, 121_000], 1_000_000, [.nothing, .nothing, .nothing, .packPiece]),
            ([0, 60_000, 120_000, 120_500], 1_000_000, [.nothing, .nothing, .nothing, .packAll]),
            // Most of the events are new.
            ([1_600_000, 1_600_000], 700_000, [.nothing, .rebuild]),
            ([1_600_000, 1_600_000], 900_000, [.nothing, .packAll]),
        ] as [([Int], Int, [PackingPolicy.Step])]
    )
    func isByTheDeltaAndHowItGrows(deltas: [Int], packed: Int, expected: [PackingPolicy.Step]) {
        var policy = PackingPolicy()
        #expect(steps(deltas, packed: packed, &policy) == expected)
    }

    /// A piece was packed within two seconds after the count at five seconds, leaving `rest`. Returns when the next
    /// piece is packed, in seconds, if counts follow every second and `rate` events arrive each second.
    private func nextPiece(leaving rest: Int, rate: Int) throws -> Int {
        var policy = PackingPolicy()
        #expect(steps([100_000, 300_000], &policy) == [.nothing, .packPiece])
        let begun = start.advanced(by: .seconds(5))
        policy.worked(leaving: rest, from: begun, to: begun.advanced(by: .seconds(2)))
        let next = (2...60).first { second in
            let now = begun.advanced(by: .seconds(second))
            return policy.step(delta: rest + rate * second, packed: 1_200_000, at: now) != .nothing
        }
        return try #require(next) - 2
    }

    /// Four times two seconds; none if the delta is too long, or hardly any events arrive.
    @Test func pausesBetweenPiecesByTheRateOfEvents() throws {
        #expect(try nextPiece(leaving: 100_000, rate: 20_000) == 8)
        #expect(try nextPiece(leaving: PackingPolicy.urgentDelta, rate: 20_000) == 0)
        #expect(try nextPiece(leaving: 100_000, rate: 1_000) == 8)
        #expect(try nextPiece(leaving: 100_000, rate: 10) == 0)
    }

    @Test func isBusyWhileManyComeIn() {
        var policy = PackingPolicy()
        // The rate is not known yet.
        _ = steps([60_000], &policy)
        #expect(policy.isBusy)
        _ = steps([0, 60_000], &policy)
        #expect(policy.isBusy)
        _ = policy.step(delta: 61_000, packed: 1_000_000, at: start.advanced(by: .seconds(10)))
        #expect(!policy.isBusy)
    }

    /// Events that other processes pack have arrived, too.
    @Test func isBusyWhileAnotherProcessPacks() {
        var policy = PackingPolicy()
        _ = policy.step(delta: 300_000, packed: 1_000_000, at: start)
        let step = policy.step(delta: 100_000, packed: 1_300_000, at: start.advanced(by: .seconds(5)))
        #expect(policy.isBusy)
        #expect(step == .nothing)
    }

    /// Segments that were left while many events arrived are compacted afterwards, though nothing is packed then.
    @Test func compactsSegmentsOnceFewEventsArrive() {
        var policy = PackingPolicy()
        _ = steps([0, 200_000], &policy)
        #expect(policy.fanIn(afterPacking: 150_000) == SegmentGroup.busyFanIn)
        #expect(policy.fanIn(afterPacking: 0) == nil)
        _ = policy.step(delta: 200_000, packed: 1_000_000, at: start.advanced(by: .seconds(10)))
        #expect(policy.fanIn(afterPacking: 0) == SegmentGroup.fanIn)
        #expect(policy.fanIn(afterPacking: 0) == nil)
        #expect(policy.fanIn(afterPacking: 10_000) == SegmentGroup.fanIn)
    }

    @Test func bringsSegmentsUpToDateWhenOneInFiftyEventsLinksHaveChanged() {
        let policy = PackingPolicy()
        #expect(!policy.isWorthApplying(19_999, packed: 1_000_000))
        #expect(policy.isWorthApplying(20_000, packed: 1_000_000))
        #expect(!policy.isWorthApplying(1_999, packed: 10_000))
        #expect(policy.isWorthApplying(2_000, packed: 10_000))
    }
}
