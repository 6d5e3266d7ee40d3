/// The median of at least one non-negative number. For an even number of numbers, the mean of the two middle ones, with
/// halves rounded up.
func median(_ values: [Int64]) -> Int128 {
    percentiles([50], of: values.count) { $0(values) }[0]
}

/// Percentiles of at least one non-negative number. A percentile's position in ascending order, from 0, is (count − 1)
/// · percent / 100. Between two positions, it is interpolated linearly. The 50th is the median. Halves are rounded up.
///
/// This is type 7 of Hyndman and Fan, *Sample Quantiles in Statistical Packages* (1996), which R, NumPy, pandas,
/// DuckDB's `quantile_cont` and spreadsheets' `PERCENTILE.INC` compute.
///
/// - Parameters:
///   - count: how many numbers there are.
///   - forEachPiece: hands out all of them, in pieces of any size. It is called two or three times for each percentile,
///     seldom more.
func percentiles(
    _ percents: [Int],
    of count: Int,
    _ forEachPiece: (([Int64]) -> Void) throws -> Void
) rethrows -> [Int128] {
    let positions = percents.map { ((count - 1) * $0).quotientAndRemainder(dividingBy: 100) }
    let ranks = positions.flatMap { [$0.quotient, min($0.quotient + 1, count - 1)] }
    let elements = try elements(atRanks: ranks, of: count, forEachPiece)
    return positions.indices.map { index in
        let part = positions[index].remainder
        let (lower, upper) = (Int128(elements[2 * index]), Int128(elements[2 * index + 1]))
        return roundedQuotient(lower * Int128(100 - part) + upper * Int128(part), by: 100)
    }
}

/// The numbers at some positions, from 0, in ascending order.
private func elements(
    atRanks ranks: [Int],
    of count: Int,
    _ forEachPiece: (([Int64]) -> Void) throws -> Void
) rethrows -> [Int64] {
    var all: Int64 = 0
    try forEachPiece { piece in for value in piece { all |= value } }
    let bits = Int64.bitWidth - all.leadingZeroBitCount
    var found = Neighbours()
    return try ranks.map { rank in
        if !found.ranks.contains(rank) {
            found = try Neighbours(ofRank: rank, among: count, bits: bits, forEachPiece)
        }
        return found[rank]
    }
}

/// Some numbers that are consecutive in ascending order.
private struct Neighbours {
    private static let (digitBits, sortedAtOnce) = (11, 1 << 16)

    private(set) var ranks = 0..<0
    /// In order; a single number if all are equal.
    private var values: [Int64] = []

    init() {}

    /// Finds the numbers with little memory, in time proportional to their count. The digits of the wanted number are
    /// found one after the other, from the highest, by counting the numbers with the same digits before it, until few
    /// are left.
    ///
    /// - Parameter bits: how many bits the numbers have.
    init(
        ofRank rank: Int,
        among count: Int,
        bits: Int,
        _ forEachPiece: (([Int64]) -> Void) throws -> Void
    ) rethrows {
        var (prefix, bits) = (0 as Int64, bits)
        ranks = 0..<count
        while bits > 0, ranks.count > Self.sortedAtOnce {
            let shift = max(0, bits - Self.digitBits)
            let digitMask = 1 << (bits - shift) - 1
            var counts = Array(repeating: 0, count: digitMask + 1)
            try forEachPiece { piece in
                for value in piece where value >> bits == prefix { counts[Int(value >> shift) & digitMask] += 1 }
            }
            var (digit, start) = (0, ranks.lowerBound)
            while rank >= start + counts[digit] {
                start += counts[digit]
                digit += 1
            }
            ranks = start..<start + counts[digit]
            prefix = prefix << (bits - shift) | Int64(digit)
            bits = shift
        }
        guard bits > 0 else {
            values = [prefix]
            return
        }
        values.reserveCapacity(ranks.count)
        try forEachPiece { piece in
            for value in piece where value >> bits == prefix { values.append(value) }
        }
        values.sort()
    }

    subscript(rank: Int) -> Int64 { values.count == 1 ? values[0] : values[rank - ranks.lowerBound] }
}
