@testable import Reporting
import Testing
@testable import Timelines

@Suite("When to pack")
struct PackingPolicyTests {
    private typealias Pace = PackingPolicy
    private let start = ContinuousClock.now

    /// Looks every five seconds, at deltas in order; 1,000,000 events are packed.
    private func steps(_ deltas: [Int], packed: Int = 1_000_000, _ policy: inout PackingPolicy) -> [PackingPolicy.Step]
    {
        deltas.enumerated().map { index, delta in
            policy.step(delta: delta, packed: packed, at: start.advanced(by: .seconds(5 * index)))
        }
    }

    @Test(
        arguments: [
            // The first look only sees how much there is.
            ([50_000, 50_000], 1_000_000, [.nothing, .packAll]),
            // 2 %, and not less than is worth it; 30,000 whatever there is.
            ([0, 19_999, 20_000], 1_000_000, [.nothing, .nothing, .packAll]),
            ([0, 9_999, 10_000], 0, [.nothing, .nothing, .packAll]),
            ([25_000, 29_999, 30_000], 50_000_000, [.nothing, .nothing, .packAll]),
            // More than 5,000 a second, and 150,000 in the delta.
            (
                [0, 60_000, 120_000, 149_999, 180_000], 1_000_000,
                [.nothing, .nothing, .nothing, .nothing, .packPiece]
            ),
            // Only some come in, and then hardly any.
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

    /// After a look at five seconds, at which a piece was packed in two, leaving `rest`: when the next piece is packed, in
    /// seconds, of looks every second while `rate` events come in each second.
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

    /// Four times two seconds; not at all where the delta is too long, or hardly any come in.
    @Test func restsBetweenPiecesAsLongAsIsGoodForWhatComesIn() throws {
        #expect(try nextPiece(leaving: 100_000, rate: 20_000) == 8)
        #expect(try nextPiece(leaving: PackingPolicy.urgentDelta, rate: 20_000) == 0)
        #expect(try nextPiece(leaving: 100_000, rate: 1_000) == 8)
        #expect(try nextPiece(leaving: 100_000, rate: 10) == 0)
    }

    @Test func isBusyWhileManyComeIn() {
        var policy = PackingPolicy()
        // Nobody knows yet.
        _ = steps([60_000], &policy)
        #expect(policy.isBusy)
        _ = steps([0, 60_000], &policy)
        #expect(policy.isBusy)
        _ = policy.step(delta: 61_000, packed: 1_000_000, at: start.advanced(by: .seconds(10)))
        #expect(!policy.isBusy)
    }

    /// What others pack has come in all the same.
    @Test func isBusyWhileOthersPackWhatComesIn() {
        var policy = PackingPolicy()
        _ = policy.step(delta: 300_000, packed: 1_000_000, at: start)
        let step = policy.step(delta: 100_000, packed: 1_300_000, at: start.advanced(by: .seconds(5)))
        #expect(policy.isBusy)
        #expect(step == .nothing)
    }

    /// What was left because many came in is put together when they do no longer, though nothing is packed then.
    @Test func putsSegmentsTogetherOnceFewComeIn() {
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
