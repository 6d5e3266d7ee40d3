/// The pages of the dashboard.
enum View: String, CaseIterable {
    case overview
    case funnels
    case attribution
    case retention
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
        case .live: "Live"
        }
    }

    /// The fields of the URL beside the days: parameters of the view's reports.
    var fields: [String] {
        switch self {
        case .overview, .live: []
        case .funnels: ["steps", "by", "window"]
        case .attribution: ["event", "by", "lookback"]
        case .retention: ["period", "periods"]
        }
    }
}
