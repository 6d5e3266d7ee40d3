/// The median of numbers that are not negative, at least one: of an even number, the mean of the two in the middle, halves
/// rounded up.
///
/// In time proportional to their number, whatever they are: the digits of the one that is looked for are found one after
/// the other, from the highest, each with a count of the numbers that share those before it.
func median(_ values: some Collection<Int64>) -> Int128 {
    let count = values.count
    let upper = element(values, count, atRank: count / 2)
    let lower = count.isMultiple(of: 2) ? element(values, count, atRank: count / 2 - 1) : upper
    return roundedQuotient(Int128(lower) + Int128(upper), by: 2)
}

/// What would stand at a position, from 0, were they sorted.
private func element(_ values: some Collection<Int64>, _ count: Int, atRank rank: Int) -> Int64 {
    let (bits, sortedAtOnce) = (11, 256)
    guard count > sortedAtOnce else { return values.sorted()[rank] }
    let digits = 1 << bits
    var rank = rank
    var shift = max(0, Int64.bitWidth - (values.max() ?? 0).leadingZeroBitCount - bits)

    /// The digit of the one that is looked for, of which the digits above are those of all these.
    func digit(in values: some Collection<Int64>) -> Int {
        var counts = Array(repeating: 0, count: digits)
        for value in values { counts[Int(value >> shift) & (digits - 1)] += 1 }
        var digit = 0
        while rank >= counts[digit] {
            rank -= counts[digit]
            digit += 1
        }
        return digit
    }

    // The first time only those are copied that are left.
    let first = digit(in: values)
    var rest = values.filter { Int($0 >> shift) == first }
    while rest.count > sortedAtOnce, shift > 0 {
        shift = max(0, shift - bits)
        let next = digit(in: rest)
        rest.removeAll { Int($0 >> shift) & (digits - 1) != next }
    }
    rest.sort()
    return rest[rank]
}

/// A percentile of numbers in ascending order, at least one: (count − 1) · percent / 100 is its position, from 0; between
/// two positions it lies between the two, in proportion. The 50th is the median. Halves are rounded away from zero.
///
/// This is type 7 of Hyndman and Fan, *Sample Quantiles in Statistical Packages* (1996), which R, NumPy, pandas, DuckDB's
/// `quantile_cont` and spreadsheets' `PERCENTILE.INC` compute.
func percentile(_ percent: Int, ofSorted values: [Int64]) -> Int128 {
    let (position, part) = ((values.count - 1) * percent).quotientAndRemainder(dividingBy: 100)
    guard part > 0 else { return Int128(values[position]) }
    return roundedQuotient(
        Int128(values[position]) * Int128(100 - part) + Int128(values[position + 1]) * Int128(part),
        by: 100
    )
}
