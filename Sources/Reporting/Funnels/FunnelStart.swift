/// What one start of a person reached.
struct FunnelStart {
    /// Positions in `FunnelFacts.facts`: facts of one instant that are the start, all with the same result.
    var facts: Range<Int>
    /// How many steps were reached, at least 1.
    var level: Int
    /// Whether the next step can still be reached.
    var canGoOn: Bool
    /// The time to each step in microseconds, `.max` if it was not reached, or if nobody knows when.
    var elapsed: SIMD8<Int64>
}

/// The best result of all starts of one person in one group.
struct FunnelBest: Equatable {
    /// 0 before the first start.
    private(set) var level = 0
    /// Whether any start that reached the level can still reach the next step.
    private(set) var canGoOn = false
    /// For each reached step, the shortest time from any start, in microseconds; `.max` if no such time is known.
    private(set) var elapsed = SIMD8<Int64>(repeating: .max)

    /// - Parameter isTimeKnown: whether the time of the start is known, so that times from it are.
    mutating func add(_ start: FunnelStart, isTimeKnown: Bool = true) {
        if start.level > level {
            level = start.level
            canGoOn = start.canGoOn
        } else if start.level == level {
            canGoOn = canGoOn || start.canGoOn
        }
        for step in 0..<(isTimeKnown ? start.level : 1) { elapsed[step] = min(elapsed[step], start.elapsed[step]) }
    }
}
