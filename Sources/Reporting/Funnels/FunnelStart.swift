/// What a start of a person reached.
struct FunnelStart {
    /// Positions in `FunnelFacts.facts`: facts of one instant that are the start, each with the same result.
    var facts: Range<Int>
    /// How many steps it reached, at least 1.
    var level: Int
    /// Whether it can still reach the next step.
    var canGoOn: Bool
    /// The time to each step in microseconds, `.max` where it was not reached.
    var elapsed: SIMD8<Int64>
}
