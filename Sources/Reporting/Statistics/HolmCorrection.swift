/// p-values adjusted for their number, by Holm's step-down method (S. Holm, "A simple sequentially rejective multiple
/// test procedure", Scandinavian Journal of Statistics 6, 1979). The chance of even one false alarm among all of them
/// stays below the level that an adjusted value is compared with.
///
/// The smallest of m values is multiplied by m, the next by m − 1 and so on. None is smaller than the one before, and
/// none is above 1. A single value does not change.
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

/// The same if some tests have no p-value. These do not count as tests.
func holmAdjusted(_ pValues: [Double?]) -> [Double?] {
    var adjusted = holmAdjusted(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? nil : adjusted.popFirst() }
}
