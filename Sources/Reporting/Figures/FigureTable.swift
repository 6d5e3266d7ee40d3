import Storage

/// A table of figures (`sql/migrations`), and how its rows are replaced.
enum FigureTable: String, CaseIterable, Sendable {
    case channel
    case ref
    case post
    case attribution
    case funnel
    case retention

    /// What tells the reports apart whose rows are in the table, by the names of its columns.
    var discriminators: [String] {
        switch self {
        case .channel, .ref, .post: []
        case .attribution: ["event", "grouping"]
        case .funnel: ["funnel", "grouping"]
        case .retention: ["grouping"]
        }
    }

    /// The columns of the report that it keeps, in its own order, by their names in the report. What depends on the time
    /// of asking (`open`) and what the period says already (`cohort`) is not kept.
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
                "median_seconds",
            ]
        case .retention: ["group", "period", "people", "retained", "rate"]
        }
    }

    /// The statement that replaces the rows of periods.
    var replacement: String {
        switch self {
        case .channel: StoredSQL.replaceChannelFigures
        case .ref: StoredSQL.replaceRefFigures
        case .post: StoredSQL.replacePostFigures
        case .attribution: StoredSQL.replaceAttributionFigures
        case .funnel: StoredSQL.replaceFunnelFigures
        case .retention: StoredSQL.replaceRetentionFigures
        }
    }
}
