/// The pages of the dashboard.
enum View: String, CaseIterable {
    case overview
    case funnels
    case attribution
    case retention
    case links
    case live

    init?(path: String) {
        guard let view = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = view
    }

    var path: String { self == .overview ? "/" : "/\(rawValue)" }

    var title: String {
        switch self {
        case .overview: "Overview"
        case .funnels: "Funnels"
        case .attribution: "Attribution"
        case .retention: "Retention"
        case .links: "Links"
        case .live: "Live"
        }
    }

    /// Whether the view has figures of a range of days.
    var hasDays: Bool { self != .live && self != .links }

    /// The fields of the URL beside the days: parameters of the view's reports, or of its list.
    var fields: [String] {
        switch self {
        case .overview, .live: []
        case .funnels: ["steps", "by", "window"]
        case .attribution: ["event", "by", "lookback"]
        case .retention: ["period", "periods"]
        case .links: ["text", "after_host", "after_slug"]
        }
    }
}
