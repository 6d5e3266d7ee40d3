/// The order in which the steps of a funnel must happen.
enum FunnelOrder: String, CaseIterable, Sendable {
    /// Each step at or after the one before. Other events may come between.
    case sequential
    /// Each step at or after the one before, with no other event of the person between.
    case strict
    /// Steps in any order.
    case any
}
