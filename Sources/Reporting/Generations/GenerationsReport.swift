import Events
import Time
import Timelines

/// The tree of invitations: who came by themselves, whom they invited, whom those invited.
struct GenerationsReport: Report {
    static let name = "generations"
    static let summary =
        "People by how many invitations lie between them and the first one of their chain, and whom they invited."
    static let examples = ["--from 90d", "--by ref --depth 3 --limit 5"]
    private static let depths = 1...100
    private static let filterKeys = EventGrouping.filterKeys(of: .touch) + [.doubt]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "depth",
            "NUMBER",
            "The last generation that has a row of its own, \(depths.lowerBound)–\(depths.upperBound); the rest is one row, (others).",
            default: "10"
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "Groups people by a property of the install that their chain begins with: that of its last touch, or what every event has, its own; by doubt: by why their own install is doubtful, the first reason of several.",
            default: "none",
            allowed: EventGrouping.allCases.filter(isAllowed).map(\.rawValue) + [EventGrouping.doubt.rawValue]
        ),
        ReportParameter(
            "below",
            "ID",
            "Count only whom this person brought, whom those brought and so on, by how many invitations lie between. The id is that of 'viral --by poster'."
        ),
        GroupFinder.limit("people", " Channels, platforms and the like are always shown."),
        .filter(filterKeys),
        .lookback,
    ]
    private static func isAllowed(_ key: EventGrouping) -> Bool { key.isAllowed(for: .touch) }
    private static let group = ReportColumn.text(
        "group",
        "The group by a property of the install that the chain begins with, or with `--by doubt` of the person's own; `direct` counts people whose chain begins with an install without a touch, `(none)` also those whose chain begins with somebody who never installed; `total` counts all."
    ).asPart()
    static let columns: [ReportColumn] = [
        .text(
            "generation",
            "0: nobody is known to have invited the person; else one more than the generation of who did. With `--below`, this person is 0, and in no row. `(others)` counts all beyond `--depth`, `total` counts all."
        ),
        .integer("people", unit: "people", "People of the generation whose first install ever lies in the range."),
        .integer("posters", unit: "people", "Those of them with a posted story in the range."),
        .integer("posts", unit: "posts", "These stories."),
        .integer(
            "invited",
            unit: "people",
            "People whose first install ever lies in the range and whose inviter is one of the row's people."
        ),
        .ratio(
            "invited_per_person",
            unit: "people per person",
            "`invited` ÷ `people`, at least. Both installed in the range, so it grows with its length."
        ),
        .ratio(
            "installs_per_post",
            unit: "installs per post",
            "`invited` ÷ `posts`, at least. It grows with the range, too."
        ),
        .decimal(
            "median_days",
            unit: medianUnit,
            "The median time from a person's install to that of the first in the range whom they invited, over those who invited somebody; 0 if that was before. Empty if nobody did."
        ),
        .decimal(
            "value",
            unit: ReportColumn.currency,
            "What the conversions in the range of the row's people were worth. A conversion in another currency adds none without a rate."
        ),
        .ratio("value_per_person", unit: "\(ReportColumn.currency) per person", "`value` ÷ `people`."),
        .integer(
            "doubtful",
            unit: "people",
            "Those of the row's people whose install looks made up. They count as all others."
        ),
    ]
    /// Where nothing was counted, there is none.
    static let medianUnit = "days"

    static let keepsPeople = true
    static var allColumns: [ReportColumn] { columns(group.only("with `--by`")) }

    private static func columns(_ group: ReportColumn) -> [ReportColumn] {
        [columns[0], group] + columns.dropFirst()
    }

    let depth: Int
    let grouping: EventGrouping
    /// The id of the person with whom the tree begins; nil: all trees are counted.
    let below: String?
    let limit: Int
    let filter: EventFilter
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        depth = try parameters.count("depth", default: 10, allowed: Self.depths)
        grouping = try parameters.choice(
            "by",
            default: .none,
            among: parameters.groupings(where: Self.isAllowed) + [.doubt]
        )
        below = try parameters.text("below")
        limit = try parameters.groupLimit()
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch) + [.doubt])
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    var columns: [ReportColumn] {
        if grouping == .none { return Self.columns }
        return Self.columns(grouping.period == nil ? Self.group : Self.group.asDates())
    }
    var namedValues: [NamedValue] {
        let poster = below.map { NamedValue(parameter: "below", kind: .poster, text: $0, isPrefix: false) }
        return filter.namedValues + [poster].compactMap(\.self)
    }

    /// All of history: an inviter may have installed long before the range, or after it.
    func query(in range: ReportRange) -> TimelineQuery {
        let ever = Timestamp.spellable
        var query = TimelineQuery(
            types: TimelineQuery.touchTypes.union([.feedPost, .conversion]),
            touchesFrom: ever.lowerBound,
            eventsFrom: ever.lowerBound,
            through: ever.upperBound,
            needs: [.ids, .storyPosts, .sharedDevices]
        )
        if below != nil { query.needs.formUnion([.postDetails, .posters]) }
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    func makeFold(_ run: ReportRun) -> GenerationsFold { GenerationsFold(self, run) }
}
