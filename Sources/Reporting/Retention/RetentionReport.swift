import Events
import InboundLinks
import Time
import Timelines

/// How many people come back in the days, weeks or months after they came first, and what they are worth.
struct RetentionReport: PeopleReport {
    static let name = "retention"
    static let summary =
        "Who comes back, and what people are worth, by when they first came, installed, logged in or converted."
    /// The capacity of a person's set of periods.
    static let periodLimit = 64
    static let examples = [
        "--by channel --pooled --at 7,30", "--returns conversion:premium --periods 3",
    ]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "cohort",
            "EVENT",
            "The event by whose time people are grouped: their first one ever, if it lies in the range; touch_in_range: the first touch of the range.",
            default: RetentionCohort.touch.description,
            allowed: RetentionCohort.names
        ),
        ReportParameter(
            "returns",
            "EVENT",
            "What counts as coming back.",
            default: RetentionReturns.any.description,
            allowed: RetentionReturns.names
        ),
        ReportParameter(
            "return",
            ReturnRule.allCases.map(\.rawValue).joined(separator: "|"),
            "When somebody counts as retained: who came back on the n-th period itself, within any of the periods 1 to n, or after it began (unbounded or rolling retention): in the n-th or any later one up to now.",
            default: ReturnRule.on.rawValue,
            allowed: ReturnRule.allCases.map(\.rawValue)
        ),
        ReportParameter(
            "period",
            "PERIOD",
            "The period by which people are grouped and counted.",
            default: "day",
            allowed: CalendarPeriod.allCases.map(\.rawValue)
        ),
        ReportParameter("periods", "NUMBER", "How many periods after the first, 1–\(periodLimit).", default: "8"),
        ReportParameter("at", "LIST", "Only these periods after the first, such as 7,30 (1–\(periodLimit))."),
        ReportParameter(
            "pooled",
            "on|off",
            "All cohorts of the range together, in one row for each period: over the people for whom it is over. Values are of those for whom the last of the periods is over, in all rows, so that a cumulated value never falls.",
            default: "off",
            allowed: ["on", "off"],
            impliedValue: "on"
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "Groups by a property of the touch; of an install, login or conversion, by that of its last touch. Installs have injected and joined_by themselves.",
            default: "none",
            allowed: EventGrouping.allCases.filter { $0.isAllowed(for: .touch) || $0.isOfInstalls }.map(\.rawValue),
            offered: EventGrouping.allCases.filter { $0.isAllowed(for: .touch) }.map(\.rawValue)
        ),
        GroupFinder.limit("people of all cohorts", " Channels, platforms and the like are always shown."),
        .filter(EventGrouping.filterKeys(of: .touch)),
        ReportParameter(
            "lookback",
            "DURATION",
            "How long before an install, login or conversion its last touch may be (\(ReportDuration.limitText)).",
            default: "7d"
        ),
        .matured,
    ]
    static let columns: [ReportColumn] = [
        .text(
            "cohort",
            "The first day of the period that contains the event that `--cohort` names, a date in the report's time zone; `total` with `--pooled`."
        ).asCalendar(),
        .text(
            "group",
            "The group by a property of the touch; `direct` counts people without one, `total` counts all."
        ),
        .integer("period", unit: "days, weeks or months", "The n-th period after the cohort's own, from 1.").asKey(),
        .integer("people", unit: "people", "People of the cohort; with `--pooled`, those for whom the period is over."),
        .integer(
            "retained",
            unit: "people",
            "Those of them who came back in that period: with any event, or with one that `--returns` names. With `--return within`, in any period up to that one; with `after`, in that one or any later one. A touch counts at its own time."
        ),
        .rate("rate", "`retained` ÷ `people`.").asShare(.ofColumns("retained", of: ["people"])),
        .decimal(
            "value",
            unit: ReportColumn.currency,
            "What their conversions of that period were worth. A conversion in another currency adds nothing without a rate. With `--pooled`, in all rows those of the `people` of the last period; empty while there are none."
        ),
        .decimal(
            "cumulative_value",
            unit: ReportColumn.currency,
            "What their conversions were worth from the cohort's event to the end of that period, those of the cohort's own period included."
        ),
        .ratio(
            "value_per_person",
            unit: "\(ReportColumn.currency) per person",
            "`cumulative_value` ÷ `people`, with `--pooled` ÷ the `people` of the last period: the lifetime value until then."
        ),
    ]

    static let allColumns = columns + [paybackColumn]

    static let peopleFigures = ["retained", "absent", "lost"]

    static func rowNames(by grouping: String?) -> [String] { ["cohort", "group"] }

    static func people(behind column: String, _ text: (String) -> String) -> [(name: String, value: String)]? {
        column == "retained" ? [("people", column), ("at", text("period"))] : nil
    }

    func peopleFigure(named name: String) throws(ReportError) -> PeopleFigure {
        guard Self.peopleFigures.contains(name), let figure = PeopleFigure(name: name) else {
            throw .unknown("figure", name, field: "people", allowed: Self.peopleFigures)
        }
        guard shown.count == 1 else {
            throw .invalid("people", "is about one period: name it with at, such as 7")
        }
        return figure
    }

    let cohort: RetentionCohort
    let returns: RetentionReturns
    let rule: ReturnRule
    let period: CalendarPeriod
    /// The last period after the first that is counted.
    let periods: Int
    /// The periods that have rows, ascending.
    let shown: [Int]
    let isPooled: Bool
    let grouping: EventGrouping
    let limit: Int
    let filter: EventFilter
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        cohort = try parameters.value(
            "cohort",
            default: .touch,
            among: RetentionCohort.names,
            reading: RetentionCohort.init(name:)
        )
        returns = try parameters.value(
            "returns",
            default: .any,
            among: RetentionReturns.names,
            reading: RetentionReturns.init(name:)
        )
        rule = try parameters.choice("return", default: .on)
        period = try parameters.choice("period", default: .day)
        shown = try Self.shown(&parameters)
        periods = shown.last ?? 1
        isPooled = try parameters.isOn("pooled", default: false)
        let ofInstalls = cohort == .install ? EventGrouping.filterKeys.filter(\.isOfInstalls) : []
        grouping = try parameters.choice(
            "by",
            default: .none,
            among: parameters.groupings { $0.isAllowed(for: .touch) } + EventGrouping.filterKeys.filter(\.isOfInstalls)
        )
        if grouping.isOfInstalls, cohort != .install {
            throw .usage(
                message:
                    "\(parameter: "by", value: grouping.rawValue) is of installs: add \(parameter: "cohort", value: "install")",
                field: "by"
            )
        }
        limit = try parameters.groupLimit()
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch) + ofInstalls)
        if cohort.isTouch, parameters.isGiven("lookback") {
            throw .invalid("lookback", "is for cohorts of an install, authentication or conversion: a touch needs none")
        }
        lookback =
            cohort.isTouch
            ? ReportDuration(days: 7) : try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    private static func shown(_ parameters: inout ParameterReader) throws(ReportError) -> [Int] {
        guard parameters.isGiven("at") else {
            return Array(1...(try parameters.count("periods", default: 8, allowed: 1...periodLimit)))
        }
        guard !parameters.isGiven("periods") else {
            throw .invalid("at", "names the periods itself; leave periods out")
        }
        var shown: Set<Int> = []
        for text in parameters.list("at", default: []) {
            guard let number = Int(text), (1...periodLimit).contains(number) else {
                throw .invalid("at", "must be numbers from 1 to \(periodLimit), such as 7,30")
            }
            shown.insert(number)
        }
        return shown.sorted()
    }

    /// Whether the group is that of a touch.
    var groupsByTouch: Bool { !grouping.isOfCohort }

    /// Whether people are grouped by a touch that some of them do not have.
    var hasDirect: Bool { groupsByTouch && !cohort.isTouch }

    var namedValues: [NamedValue] {
        var values: [NamedValue] = []
        if case .conversion(let goal) = cohort { values += NamedValue.goals([goal], of: "cohort") }
        if case .conversion(let goal) = returns { values += NamedValue.goals([goal], of: "returns") }
        return values + filter.namedValues
    }

    /// Whether the touches before the cohort's event are needed.
    var readsCredits: Bool {
        !cohort.isTouch && (groupsByTouch || !filter.only { !$0.isOfCohort }.isEmpty)
    }

    var caveatOfComparison: String? {
        rule == .after
            ? "who came in the range before has had more time to come back; `on` and `within` compare like with like"
            : nil
    }

    func query(in range: ReportRange) -> TimelineQuery {
        let ever = Timestamp.spellable.lowerBound
        let credited = readsCredits ? range.from.advanced(by: .zero - lookback.duration) : range.from
        var query = TimelineQuery(
            types: types,
            // A query never reads other events from an earlier time on than touches.
            touchesFrom: cohort == .touch || readsEventsEver ? ever : credited,
            eventsFrom: readsEventsEver ? ever : range.from,
            // One day more, for days on which clocks are put back.
            through: range.to.advanced(by: .seconds(((periods + 1) * period.days.upperBound + 1) * 86_400))
        )
        if rule == .after { query.through = Timestamp.spellable.upperBound }
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    /// Whether other events than touches and installs decide who is new.
    private var readsEventsEver: Bool {
        switch cohort {
        case .authentication, .conversion: true
        case .touch, .touchInRange, .install: false
        }
    }

    /// The cohort is mature if its last period is over.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? {
        zone.start(of: period.firstDay(ofPeriod: period.number(of: zone.day(of: now)) - periods))
    }

    /// All cohorts together are of no period.
    var rowPeriods: RowPeriods? { isPooled ? nil : RowPeriods(column: 0, length: period, laterBy: 2, lastKnown: 3) }

    var columns: [ReportColumn] {
        var columns = Self.columns
        if isPooled { columns[0] = .text(columns[0].name, columns[0].meaning) }
        if grouping.period != nil { columns[1] = columns[1].asDates() }
        return columns
    }

    private var types: Set<EventType> {
        if returns == .any { return Set(EventType.allCases) }
        // Conversions have the value.
        var types: Set<EventType> = [.conversion]
        if returns == .touch || readsCredits { types.formUnion(TimelineQuery.touchTypes) }
        switch cohort {
        case .touch, .touchInRange: types.formUnion(TimelineQuery.touchTypes)
        case .install: types.insert(.install)
        case .authentication: types.formUnion(FunnelEvent.authentication.types)
        case .conversion: break
        }
        return types
    }

    func makeFold(_ run: ReportRun) -> RetentionFold {
        RetentionFold(self, run)
    }
}
