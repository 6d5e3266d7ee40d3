/// In which order the steps of a funnel have to happen.
enum FunnelOrder: String, CaseIterable, Sendable {
    /// Each at or after the one before; other events may lie between.
    case sequential
    /// Each at or after the one before, and no other event of the person between them.
    case strict
    /// As they come.
    case any
}
