import Events
import RandomTesting
@testable import Storage
import Testing
import Time

@testable import tributaryd

@Suite("What waits in a spool behind others")
struct SpoolBypassTests {
    /// A spool whose requests are at the positions 1, 2, …; each is of an app.
    private struct FakeSpool {
        var apps: [Int32]
        var batchSize = 2

        func read(after position: Int64) -> Spool.Batch? {
            let start = Int(position)
            guard start < apps.count else { return nil }
            let end = min(start + batchSize, apps.count)
            return Spool.Batch(
                position: Int64(end),
                submissions: (start..<end).map { number in
                    Submission(
                        appNumber: apps[number],
                        keyPrefix: "\(number + 1)",
                        receivedAt: Timestamp(microseconds: 0),
                        events: []
                    )
                }
            )
        }
    }

    private struct Failure: Error {}

    /// Stores the requests of all apps but some.
    ///
    /// - Returns: the positions of what was stored.
    private func run(
        _ bypass: inout SpoolBypass,
        _ spool: FakeSpool,
        away: Set<Int32> = [],
        refused: Set<Int32> = [],
        failing: Set<Int32> = []
    ) async -> [Int] {
        var stored: [Int] = []
        do {
            try await bypass.run(refuses: refused.contains) {
                spool.read(after: $0)
            } store: { submissions in
                if away.contains(submissions[0].appNumber) { throw EventWriterError.partlyUnavailable(nil) }
                if failing.contains(submissions[0].appNumber) { throw Failure() }
                stored += submissions.compactMap { Int($0.keyPrefix) }
            }
        } catch {
            #expect(error is Failure)
        }
        return stored.sorted()
    }

    @Test func isStoredOnce() async {
        var (bypass, spool) = (SpoolBypass(pause: .zero), FakeSpool(apps: [1, 2, 1, 2, 2, 3]))
        #expect(await run(&bypass, spool, away: [1]) == [2, 4, 5, 6])
        #expect(await run(&bypass, spool, away: [1], refused: [1]) == [])
        spool.apps += [3, 1, 2]
        #expect(await run(&bypass, spool, away: [1], refused: [1]) == [7, 9])
    }

    /// An app whose worker was away for a moment does not wait for another's.
    @Test func isTriedAgainWhenItIsNotRefused() async {
        var (bypass, spool) = (SpoolBypass(pause: .zero), FakeSpool(apps: [1, 3, 2, 3, 2, 3]))
        #expect(await run(&bypass, spool, away: [1, 2]) == [2, 4, 6])
        #expect(await run(&bypass, spool, away: [1], refused: [1, 2]) == [])
        spool.apps.append(3)
        #expect(await run(&bypass, spool, away: [1], refused: [1]) == [3, 5, 7])
        #expect(await run(&bypass, spool, away: [1]) == [])
        #expect(await run(&bypass, spool) == [1])
    }

    @Test func isNotReadAgainAllTheTime() async {
        var (bypass, spool) = (SpoolBypass(pause: .seconds(3_600)), FakeSpool(apps: [1, 2]))
        #expect(await run(&bypass, spool, away: [1]) == [2])
        // The first try again.
        #expect(await run(&bypass, spool, away: [1]) == [])
        #expect(await run(&bypass, spool) == [])
        spool.apps.append(2)
        #expect(await run(&bypass, spool) == [3])
    }

    @Test func goesOnWhereItFailed() async {
        var (bypass, spool) = (SpoolBypass(pause: .zero), FakeSpool(apps: [1, 2, 1, 2, 3, 3]))
        #expect(await run(&bypass, spool, away: [1], failing: [3]) == [2, 4])
        #expect(await run(&bypass, spool, away: [1], refused: [1]) == [5, 6])
    }

    @Test(arguments: TestSeeds.seeds(50)) func missesNothing(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        var (bypass, spool) = (SpoolBypass(pause: .zero), FakeSpool(apps: []))
        var stored: Set<Int> = []
        for _ in 0..<20 {
            spool.apps += (0..<Int.random(in: 0...6, using: &random)).map { _ in Int32.random(in: 1...4, using: &random)
            }
            spool.batchSize = Int.random(in: 1...5, using: &random)
            let apps = (1...4 as ClosedRange<Int32>).map { ($0, Int.random(in: 0..<10, using: &random)) }
            stored.formUnion(
                await run(
                    &bypass,
                    spool,
                    away: Set(apps.filter { $0.1 < 4 }.map(\.0)),
                    refused: Set(apps.filter { $0.1 < 2 }.map(\.0)),
                    failing: Set(apps.filter { $0.1 == 9 }.map(\.0))
                )
            )
        }
        stored.formUnion(await run(&bypass, spool))
        #expect(stored == Set(spool.apps.indices.map { $0 + 1 }))
    }
}
