import InboundLinks

/// Something that happened to a person and serves steps of a funnel. An install that came with its link is two facts, the
/// install and the touch; each may serve a step of its own.
struct FunnelFact {
    var time: Timestamp
    /// Bit k is set where it serves step k, from 0.
    var steps: UInt8
    /// Position in `PersonTimeline.events`.
    var event: Int
}
