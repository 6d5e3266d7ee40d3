import Events
import Time
import Timelines

/// How many people are active in each period, and whether they are new, returning or back.
struct ActivityReport: PeopleReport {
    static let name = "activity"
    static let summary = "How many people are active in each day, week or month: new, returning, resurrected, dormant."
    static let examples = ["--period week --by channel", "--from 90d --period month --by ref"]
    static let groupings = EventGrouping.allCases.filter { $0.period == nil && $0.isAllowed(for: .touch) }
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "period",
            "PERIOD",
            "The period of a row.",
            default: "day",
            allowed: CalendarPeriod.allCases.map(\.rawValue)
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "Groups people by a property of their touches in the period.",
            default: "none",
            allowed: groupings.map(\.rawValue)
        ),
        ReportParameter("first", "", "Group and count people by their first touch ever instead."),
        GroupFinder.limit("active people", " All channels are always shown."),
        .filter(EventGrouping.filterKeys(of: .touch)),
    ]
    static let columns: [ReportColumn] = [
        .text("period", "The first day of the period, a date in the report's time zone. A week starts on Monday.")
            .asCalendar(),
        .text(
            "group",
            "The group by a property of people's touches in the period, `(none)` for people without one; with `--first` of their first touch ever, `direct` for people without one. `total` counts all."
        ),
        .integer(
            "active",
            unit: "people",
            "People who did something in the period: `new` + `returning` + `resurrected`."
        ),
        .integer("new", unit: "people", "Those of them whose first activity ever lies in the period."),
        .integer("returning", unit: "people", "Those who were active in the period before, too."),
        .integer("resurrected", unit: "people", "Those who were active before, but not in the period before."),
        .integer("dormant", unit: "people", "People who were active in the period before, and not in this one."),
        .integer(
            "active_7d",
            unit: "people",
            "People who were active in the 7 days that end with the period; empty until the app has so many days."
        ).asMoving(),
        .integer(
            "active_30d",
            unit: "people",
            "People who were active in the 30 days that end with the period; empty until the app has so many days."
        ).asMoving(),
        .rate("stickiness", "`active` ÷ `active_30d`; empty without it, and for weeks and months."),
    ]

    static let peopleFigures = ["new", "returning", "resurrected", "dormant"]

    static func rowNames(by grouping: String?) -> [String] { ["period", "group"] }

    let period: PeriodParameter
    let limit: Int
    let grouping: EventGrouping
    /// Whether people are grouped and kept by their first touch ever, and not by those of the period.
    let takesFirst: Bool
    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = PeriodParameter(try parameters.choice("period", default: CalendarPeriod.day), named: "period")
        grouping = try parameters.choice(
            "by",
            default: .none,
            among: parameters.groupings { $0.period == nil && $0.isAllowed(for: .touch) }
        )
        takesFirst = try parameters.option("first")
        limit = try parameters.count("limit", default: GroupFinder.defaultLimit, allowed: GroupFinder.limits)
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch))
    }

    var namedValues: [NamedValue] { filter.namedValues }
    var rowPeriods: RowPeriods? { period.rowPeriods }

    func check(_ range: ReportRange) throws(ReportError) { try period.check(range) }

    /// All of history: it decides who is new, and which touch was the first.
    func query(in range: ReportRange) -> TimelineQuery {
        let ever = Timestamp.spellable.lowerBound
        var query = TimelineQuery(
            types: Set(EventType.allCases),
            touchesFrom: ever,
            eventsFrom: ever,
            through: range.to,
            // They order touches of one instant, and tell the open of a click.
            needs: readsTouches ? .ids : []
        )
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    var readsTouches: Bool {
        grouping != .none && !grouping.isOfPerson || !filter.only { !$0.isOfPerson }.isEmpty
    }

    func makeFold(_ run: ReportRun) -> ActivityFold { ActivityFold(self, run) }
}
