import Events

/// A column of `timeline_segment` that says something of events. Statements, readers and encoded segments have the
/// columns in this order.
enum SegmentColumn: Int, CaseIterable {
    /// Runs of events: see `SegmentBuilder`.
    case strands
    case ids
    case clicks
    case refs
    case stories
    /// The position of each touch's `RefOrigin` and 1, or 0 for none.
    case refOrigins
    case goals
    /// The currencies of conversions, and their values: see `SegmentBuilder`.
    case amounts
    case referers
    case targets
    case links
    case openedClicks
    case appVersions
    case countries
    case languages
    case properties

    private struct Declaration {
        /// The name in the database.
        let name: String
        /// The events that have a value here; nil for all.
        var holders: EventWord.Holders?
        /// The text of these events that a `TextColumn` has here; nil for other contents.
        var text: TimelineText?
        /// Whether the report of a query reads the column.
        let isNeeded: @Sendable (TimelineQuery) -> Bool
    }

    private static let declarations = allCases.map(\.declaration)

    private var declaration: Declaration {
        switch self {
        case .strands: Declaration(name: "strands") { _ in true }
        case .ids: Declaration(name: "ids") { $0.needs(.ids) }
        case .clicks: Declaration(name: "clicks", holders: .clicked) { $0.needsTouches }
        case .refs: Declaration(name: "refs", holders: .withRefs, text: .refs) { $0.needs(.refs) }
        case .stories: Declaration(name: "stories", holders: .withStory) { $0.needsStories }
        case .refOrigins: Declaration(name: "ref_origins", holders: .withRefOrigin) { $0.needs(.refOrigins) }
        case .goals: Declaration(name: "goals", holders: .conversions, text: .goal) { $0.needs(.goals) }
        case .amounts: Declaration(name: "amounts", holders: .conversions, text: .currency) { $0.needsConversions }
        case .referers: Declaration(name: "referers", holders: .touches, text: .referer) { $0.needs(.referers) }
        case .targets: Declaration(name: "targets", holders: .touches, text: .target) { $0.needs(.targets) }
        case .links: Declaration(name: "links", holders: .withLink, text: .link) { $0.needs(.links) }
        case .openedClicks: Declaration(name: "opened_clicks", holders: .withOpenedClick) { $0.needsTouches }
        case .appVersions:
            Declaration(name: "app_versions", holders: .all, text: .appVersion) { $0.needs(.appVersions) }
        case .countries: Declaration(name: "countries", holders: .all, text: .country) { $0.needs(.countries) }
        case .languages: Declaration(name: "languages", holders: .all, text: .language) { $0.needs(.languages) }
        case .properties:
            Declaration(name: "properties", holders: .all, text: .properties) { !$0.properties.isEmpty }
        }
    }

    var name: String { Self.declarations[rawValue].name }
    var holders: EventWord.Holders? { Self.declarations[rawValue].holders }
    var text: TimelineText? { Self.declarations[rawValue].text }

    /// The columns that the report of a query reads.
    ///
    /// - Parameter storiesHaveChanged: whether stories have got or lost posts since they were packed.
    static func needed(by query: TimelineQuery, storiesHaveChanged: Bool) -> [SegmentColumn] {
        allCases.filter { column in
            // Otherwise the stories of refs do not matter.
            let correctsRefs = column == .stories && storiesHaveChanged && query.needs.contains(.refs)
            return correctsRefs || declarations[column.rawValue].isNeeded(query)
        }
    }

    /// The names of all columns, separated by commas.
    static var list: String { allCases.map(\.name).joined(separator: ", ") }

    /// A statement with all columns in place of `:segment_columns`. Those that are not in `columns` are null, and are
    /// not read from disk. A column of more bytes of texts than the limit is one byte (`SegmentBatch`).
    static func fill(
        _ statement: String,
        reading columns: [SegmentColumn] = allCases,
        textLimit: Int = .max
    ) -> String {
        let list = allCases.map { column in
            let name = column.name
            guard columns.contains(column) else { return "null as \(name)" }
            guard column.text != nil, textLimit < .max else { return name }
            return "case when octet_length(\(name)) <= \(textLimit) then \(name) else '\\x00' end as \(name)"
        }
        return statement.replacing(":segment_columns", with: list.joined(separator: ", "))
    }
}

extension TimelineQuery {
    fileprivate func needs(_ needs: Needs) -> Bool { !self.needs.isDisjoint(with: needs) }

    fileprivate var needsTouches: Bool { !types.isDisjoint(with: TimelineQuery.touchTypes) }

    fileprivate var needsConversions: Bool { types.contains(.conversion) }

    fileprivate var needsStories: Bool { needs([.storyPosts, .storyKeys]) }
}

extension Array {
    /// The element of a column, in an array that has one for each column.
    @inline(__always)
    subscript(column: SegmentColumn) -> Element {
        get { self[column.rawValue] }
        _modify { yield &self[column.rawValue] }
    }
}
