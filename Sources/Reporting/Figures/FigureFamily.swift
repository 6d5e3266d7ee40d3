/// Figures that are made together, because the same events decide on them.
enum FigureFamily: String, CaseIterable, Sendable {
    /// `channels`, `refs`, `posts` and `attribution`.
    case totals
    /// `funnel` and `installs`.
    case funnels
    case retention

    var granularities: [FigureGranularity] {
        self == .retention ? [.day, .week] : FigureGranularity.allCases
    }
}
