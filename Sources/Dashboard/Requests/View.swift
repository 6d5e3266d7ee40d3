/// The pages of the dashboard.
enum View: String, CaseIterable {
    case overview
    case posts
    case viral
    case generations
    case funnels
    case attribution
    case paths
    case retention
    case activity
    case compare
    case overlap
    case changes
    case breakdown
    case goals
    case logins
    case questions
    case money
    case links
    case live

    /// The field of the URL that says which of many groups are drawn: `groups=all`, or their names.
    static let groupsField = "groups"
    /// The columns that the tables show beside the names of the rows.
    static let columnsField = "columns"

    init?(path: String) {
        guard let view = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = view
    }

    var path: String { self == .overview ? "/" : "/\(rawValue)" }

    var title: String {
        switch self {
        case .overview: "Overview"
        case .posts: "Posts"
        case .viral: "Viral"
        case .generations: "Generations"
        case .funnels: "Funnels"
        case .paths: "Paths"
        case .retention: "Retention"
        case .activity: "Activity"
        case .overlap: "Overlap"
        case .breakdown, .changes, .attribution, .compare, .goals: "Explore"
        case .logins: "Logins"
        case .questions: "Questions"
        case .money: "Money"
        case .links: "Links"
        case .live: "Live"
        }
    }

    /// Whether the view has figures of a range of days.
    var hasDays: Bool { ![.live, .links, .money, .questions].contains(self) }

    /// How many whole weeks the view shows if no days are chosen, beside this one; nil for the usual days.
    var usualWeeks: Int? { [.retention, .activity].contains(self) ? 12 : nil }

    /// Whether the view has figures of reports.
    var hasFigures: Bool { !reports.isEmpty || self == .links }

    /// The fields of the URL beside the days.
    var fields: [String] { reportFields + pageFields }

    /// Those that say how the page shows its reports.
    var pageFields: [String] {
        let own = ownPageFields
        return own + (own.contains(Self.groupsField) ? JoinedFields.groups : [])
            + (reports.isEmpty ? [] : [Self.columnsField] + JoinedFields.columns)
    }

    private var ownPageFields: [String] {
        switch self {
        case .overview: ["picture", "card", "channels_sort", "refs_sort"]
        case .posts: ["refs_sort"]
        case .viral, .paths: [Self.groupsField, "sort"]
        // The keys are kept for the other figures of the page Explore.
        case .goals: [Self.groupsField, "sort", "by"]
        case .funnels: [Self.groupsField, "sort"]
        case .attribution, .activity, .compare, .changes, .breakdown: [Self.groupsField]
        case .overlap, .generations: []
        case .retention: ["show", Self.groupsField]
        case .logins, .questions, .money, .links, .live: []
        }
    }

    /// Parameters of the view's reports, or of its list.
    private var reportFields: [String] {
        switch self {
        case .overview: ["goal"]
        case .posts: ["each", "sort", "limit", "goal", "lookback"]
        case .questions, .live, .goals: []
        case .viral: ["by", "lookback", "within", "matured"]
        case .generations: ["by", "depth", "below", "lookback"]
        case .funnels:
            ["steps", "by"] + StepChoices.fields.dropFirst() + JoinedFields.steps + JoinedFields.conditions
        case .attribution: ["event", "by", "goal", "lookback"] + JoinedFields.keys
        case .paths: ["goal", "lookback", "limit"]
        case .retention: ["cohort", "period", "returns", "return", "by", "pooled", "periods", "at", "matured"]
        case .activity: ["period", "by", "first"]
        case .overlap: ["by", "limit", "goal"]
        case .changes: ["metric", "by", "limit"] + JoinedFields.keys
        case .compare:
            ["by", "of", "a", "b", "metric", "report", "group"] + StepChoices.fields + JoinedFields.steps
                + JoinedFields.conditions + JoinedFields.keys
        case .breakdown: ["by", "sort", "rates", "least", "limit", "goal", "compare-previous"] + JoinedFields.keys
        case .logins: ["by"]
        case .money: ["page", "done"]
        case .links: ["text", "after_host", "after_slug"]
        }
    }

    /// The reports whose figures the view shows. Conditions limit those that can be filtered.
    var reports: [String] {
        switch self {
        case .overview: ["channels", "refs", "viral"]
        case .posts: ["posts"]
        case .viral: ["viral"]
        case .generations: ["generations"]
        case .funnels: ["funnel", "installs"]
        case .attribution: ["attribution"]
        case .paths: ["paths"]
        case .retention: ["retention"]
        case .activity: ["activity"]
        case .overlap: ["overlap"]
        case .changes: ["changes"]
        case .compare: ["compare", "funnel", "channels", "refs", "viral"]
        case .breakdown: ["breakdown"]
        case .goals: ["goals"]
        case .logins: ["logins"]
        case .questions, .money, .links, .live: []
        }
    }
}
