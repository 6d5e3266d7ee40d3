@testable import Reporting
import Testing
import RandomTesting

@Suite("Quantiles")
struct QuantilesTests {
    @Test(
        arguments: [
            ([7], 7), ([1, 2], 2), ([1, 4], 3), ([5, 1, 3], 3), ([0, 0, 0, 9], 0),
        ] as [([Int64], Int128)]
    )
    func findTheMedian(values: [Int64], expected: Int128) {
        #expect(median(values) == expected)
    }

    /// Any numbers, in any pieces, give the elements of the sorted list. Many numbers are found digit by digit; few
    /// different ones, or a single one, until no digit is left.
    @Test(
        arguments: TestSeeds.seeds(1),
        [
            (1...3, 10), (300...5000, .max), (70_000...90_000, 1), (70_000...90_000, 3),
            (70_000...90_000, 7_776_000_000_000), (140_000...150_000, .max),
        ] as [(ClosedRange<Int>, Int64)]
    )
    func areThoseOfTheSorted(seed: UInt64, kind: (count: ClosedRange<Int>, limit: Int64)) {
        var random = SeededRandom(seed: seed)
        // Some are close together, so they share digits.
        let narrow = max(1, kind.limit / 1_000_000)
        let values = (0..<Int.random(in: kind.count, using: &random)).map { number in
            Int64.random(in: 0..<(number % 3 == 0 ? kind.limit : narrow), using: &random)
        }
        let pieceSize = Int.random(in: 1...values.count, using: &random)
        let percents = [0, 1, 50, 90, 95, 99, 100]
        let found = percentiles(percents, of: values.count) { body in
            for start in stride(from: 0, to: values.count, by: pieceSize) {
                body(Array(values[start..<min(start + pieceSize, values.count)]))
            }
        }
        let sorted = values.sorted()
        #expect(found == percents.map { Self.percentile($0, ofSorted: sorted) })
    }

    /// Type 7 of Hyndman and Fan, halves rounded up.
    static func percentile(_ percent: Int, ofSorted values: [Int64]) -> Int128 {
        let hundredfold = (values.count - 1) * percent
        let lower = Int128(values[hundredfold / 100])
        let upper = Int128(values[(hundredfold + 99) / 100])
        return (lower * 100 + (upper - lower) * Int128(hundredfold % 100) + 50) / 100
    }
}
