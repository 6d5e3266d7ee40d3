/// Something that happened to a person and matters to a funnel. An install that came with its link is two facts, the
/// install and the touch; each may serve a step of its own.
struct FunnelFact {
    /// Microseconds since 1970, as in `Timestamp`. For a touch, its time t.
    var time: Int64
    /// Position in `PersonTimeline.events`.
    var event: Int32
    /// Bit k is set if the fact serves step k, from 0.
    var steps: UInt8
    /// Bit k is set if the fact may serve both step k and step k + 1: an authenticated inbound link serves step k as a
    /// link, and step k + 1 as an `authentication`.
    var doubles: UInt8 = 0
    /// Whether nobody knows its time: a touch whose time is inferred.
    var isTimeInferred = false
    /// Whether the fact cuts chains.
    var isExcluded = false

    /// Orders facts by time. Facts of one instant that serve the same steps come together.
    static func precedes(_ first: FunnelFact, _ second: FunnelFact) -> Bool {
        guard first.time == second.time else { return first.time < second.time }
        return first.steps == second.steps ? first.doubles < second.doubles : first.steps < second.steps
    }
}
