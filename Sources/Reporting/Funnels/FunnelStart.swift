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

    /// Whether the start is one of those that put its person behind a figure.
    func counts(in figure: PeopleFigure) -> Bool {
        switch figure {
        case .reached(let step): level > step
        case .dropped(let step): level == step
        case .open(let step): level == step && canGoOn
        default: false
        }
    }

    /// The time to the last step that a figure says was reached, in microseconds; nil if nobody knows it.
    func elapsed(to figure: PeopleFigure) -> Int64? {
        let step: Int
        switch figure {
        case .reached(let reached): step = reached
        case .dropped(let missed), .open(let missed): step = missed - 1
        default: return nil
        }
        return elapsed[step] == .max ? nil : elapsed[step]
    }
}

/// The best result of all starts of one person in one group.
struct FunnelBest: Equatable, GroupShare {
    /// 0 before the first start.
    private(set) var level = 0
    /// Whether any start that reached the level can still reach the next step.
    private(set) var canGoOn = false
    /// For each reached step, the shortest time from any start, in microseconds; `.max` if no such time is known.
    private(set) var elapsed = SIMD8<Int64>(repeating: .max)
    /// Whether the times are also those of the total, so that the group keeps them for both.
    var isShared = false

    init() {}

    init(words: ArraySlice<UInt32>) {
        let first = words.startIndex
        level = Int(words[first] >> 1)
        canGoOn = words[first] & 1 != 0
        for step in 0..<level {
            let low = first + 1 + 2 * step
            elapsed[step] = Int64(words[low + 1]) << 32 | Int64(words[low])
        }
    }

    func append(to words: inout [UInt32]) {
        words.append(UInt32(level) << 1 | (canGoOn ? 1 : 0))
        for step in 0..<level {
            words.append(UInt32(truncatingIfNeeded: elapsed[step]))
            words.append(UInt32(truncatingIfNeeded: elapsed[step] >> 32))
        }
    }

    mutating func merge(_ other: FunnelBest) {
        canGoOn = level > other.level ? canGoOn : level < other.level ? other.canGoOn : canGoOn || other.canGoOn
        level = max(level, other.level)
        elapsed = pointwiseMin(elapsed, other.elapsed)
    }

    /// Whether the person is behind a figure of a step.
    func isBehind(_ figure: PeopleFigure) -> Bool {
        switch figure {
        case .reached(let step): level > step
        case .dropped(let step): level == step && !canGoOn
        case .open(let step): level == step && canGoOn
        default: false
        }
    }

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
