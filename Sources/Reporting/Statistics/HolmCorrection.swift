/// p-values adjusted for how many there are, by Holm's step-down method (S. Holm, "A simple sequentially rejective multiple
/// test procedure", Scandinavian Journal of Statistics 6, 1979): the chance of even one false alarm among all of them stays
/// below the level that an adjusted value is compared with.
///
/// The smallest of m values is multiplied by m, the next by m − 1 and so on; none is smaller than the one before, none is
/// above 1. One value alone stays as it is.
///
/// - Returns: the adjusted values, in the order of `pValues`.
func holmAdjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var atLeast = 0.0
    for (rank, position) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
        atLeast = max(atLeast, min(1, pValues[position] * Double(pValues.count - rank)))
        adjusted[position] = atLeast
    }
    return adjusted
}

/// The same where some tests have no p-value: they are no tests, and do not count.
func holmAdjusted(_ pValues: [Double?]) -> [Double?] {
    var adjusted = holmAdjusted(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? nil : adjusted.popFirst() }
}
