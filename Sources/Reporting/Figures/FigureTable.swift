import Storage

/// A table of figures (`sql/migrations`), and how its rows are replaced.
enum FigureTable: String, CaseIterable, Sendable {
    case channel
    case ref
    case post
    case attribution
    case funnel
    case retention

    /// The names of the columns that tell apart the reports in the table.
    var discriminators: [String] {
        switch self {
        case .channel, .ref, .post: []
        case .attribution: ["event", "grouping"]
        case .funnel: ["funnel", "grouping"]
        case .retention: ["grouping"]
        }
    }

    /// The report's columns that the table keeps, in the table's order, by their names in the report. The table does
    /// not keep what depends on the time of the request (`open`), or what the period already says (`cohort`).
    var columns: [String] {
        switch self {
        case .channel:
            ["channel", "touches", "people", "authenticated_touches", "installs", "conversions", "value"]
        case .ref:
            [
                "ref", "posts", "cancelled", "failed", "unconfirmed", "post_rate", "posters", "touches", "people",
                "authenticated_touches", "installs", "conversions", "value", "touches_per_post", "installs_per_poster",
            ]
        case .post:
            ["ref", "composer", "posted", "cancelled", "failed", "unconfirmed", "post_rate", "posters"]
        case .attribution: ["group", "model", "credits", "share", "value"]
        case .funnel:
            [
                "group", "step", "name", "people", "rate_from_first", "rate_from_previous", "ci_low", "ci_high",
                "median_seconds", "unknown_times",
            ]
        case .retention: ["group", "period", "people", "retained", "rate"]
        }
    }

    /// The statement that replaces the rows of periods.
    var replacement: String {
        switch self {
        case .channel: ReportSQL.replaceChannelFigures
        case .ref: ReportSQL.replaceRefFigures
        case .post: ReportSQL.replacePostFigures
        case .attribution: ReportSQL.replaceAttributionFigures
        case .funnel: ReportSQL.replaceFunnelFigures
        case .retention: ReportSQL.replaceRetentionFigures
        }
    }
}
