@testable import Reporting
import Testing

@Suite("Times that a funnel keeps")
struct ElapsedTimesTests {
    /// Any times up to the longest window, in any parts: the same values, and the same median as of plain numbers.
    @Test(arguments: 0..<20 as Range<UInt64>) func areThoseThatWereAdded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit: Int64 = random.pick([1, 1000, 1 << 32, 90 * 86_400_000_000])
        let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (0..<Int.random(in: 0...2000, using: &random)).map { _ in Int64.random(in: 0...limit, using: &random) }
        }
        let times = parts.map { part in
            var times = ElapsedTimes()
            for time in part { times.append(time) }
            return times
        }
        #expect(times.map { Array($0) } == parts)
        var joined = ElapsedTimes()
        for part in times { joined += part }
        let values = parts.flatMap { $0 }
        #expect(Array(joined) == values)
        if !values.isEmpty {
            #expect(median(times.joined()) == percentile(50, ofSorted: values.sorted()))
        }
    }
}
