/// What one start of a person reached.
struct FunnelStart {
    /// Positions in `FunnelFacts.facts`: facts of one instant that are the start, all with the same result.
    var facts: Range<Int>
    /// How many steps were reached, at least 1.
    var level: Int
    /// Whether the next step can still be reached.
    var canGoOn: Bool
    /// The time to each step in microseconds, `.max` if it was not reached, or if
    /// nobody knows when.
    var elapsed: SIMD8<Int64>
}
