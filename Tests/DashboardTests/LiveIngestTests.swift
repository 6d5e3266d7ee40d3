import Synchronization
import Testing

@testable import Dashboard
import RandomTesting

@Suite("Live ingest")
struct LiveIngestTests {
    private final class Clock: Sendable {
        let second = Mutex<Int64>(1_000_000)
    }

    /// The last five minutes contain exactly the records of that time, whatever the gaps between records.
    @Test(arguments: TestSeeds.seeds(30))
    func agreesWithTheWholeRecord(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let clock = Clock()
        let live = LiveIngest(clock: { clock.second.withLock { $0 } })
        var record: [(second: Int64, accepted: Int)] = []
        for _ in 0..<200 {
            let step: Int64 = [0, 0, 1, 1, 2, 40, 299, 300, 301, 1000].randomElement(using: &random) ?? 0
            let now = clock.second.withLock { second in
                second += step
                return second
            }
            let accepted = Int.random(in: 1...9, using: &random)
            live.record(.init(accepted: accepted), codes: [], ofApp: 1)
            record.append((now, accepted))
            var expected = Array(repeating: 0, count: 299)
            for (second, accepted) in record where now - 300 < second && second < now {
                expected[Int(second - now) + 299] += accepted
            }
            #expect(live.recent(ofApp: 1).counts.map(\.accepted) == expected)
        }
        #expect(live.recent(ofApp: 2).counts.allSatisfy { $0 == .init() })
    }

    @Test func countsRejectionsByCode() {
        let live = LiveIngest(clock: { 5 })
        live.record(.init(rejected: 3), codes: ["too_old", "junk_id", "too_old"], ofApp: 1)
        live.record(.init(rejected: 1), codes: ["junk_id"], ofApp: 2)
        #expect(live.recent(ofApp: 1).codes.map(\.code) == ["too_old", "junk_id"])
        #expect(live.recent(ofApp: 1).codes.map(\.count) == [2, 1])
    }
}
