/// Something that happened to a person and concerns a funnel. An install that came with its link is two facts, the install
/// and the touch; each may serve a step of its own.
struct FunnelFact {
    /// Microseconds since 1970, as of `Timestamp`. Of a touch, its t.
    var time: Int64
    /// Position in `PersonTimeline.events`.
    var event: Int32
    /// Bit k is set where it serves step k, from 0.
    var steps: UInt8
    /// Bit k is set where it may serve step k and then step k + 1 too: an authenticated inbound link that serves k as a
    /// link, and an `authentication` may serve k + 1.
    var doubles: UInt8 = 0
    /// Whether it cuts chains.
    var isExcluded = false

    /// Facts of one instant in an order that brings those together that serve the same.
    static func precedes(_ first: FunnelFact, _ second: FunnelFact) -> Bool {
        guard first.time == second.time else { return first.time < second.time }
        return first.steps == second.steps ? first.doubles < second.doubles : first.steps < second.steps
    }
}
