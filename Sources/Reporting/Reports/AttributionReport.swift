import Events
import InboundLinks
import Time
import Timelines

/// What touches brought, by one or several attribution models.
struct AttributionReport: Report {
    enum Credited: String, CaseIterable {
        case install
        case conversion
    }

    static let name = "attribution"
    static let summary = "Installs or conversions credited to channels or refs, by one attribution model or several."
    static let examples = ["--model all", "--event conversion --by ref"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "event",
            "EVENT",
            "What is credited.",
            default: Credited.install.rawValue,
            allowed: Credited.allCases.map(\.rawValue)
        ),
        .goal,
        ReportParameter(
            "model",
            "LIST",
            "One model or several, separated by commas, or all: \(AttributionModel.allCases.map(\.rawValue).joined(separator: ", ")).",
            default: "last",
            offered: AttributionModel.allCases.map(\.rawValue) + ["all"]
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "What gets the credit.",
            default: "channel",
            allowed: EventGrouping.filterKeys(of: .touch).map(\.rawValue)
        ),
        GroupFinder.limit("credits by the first of the models", " All channels are always shown."),
        .filter(EventGrouping.filterKeys(of: .touch)),
        .lookback,
    ]
    static let columns: [ReportColumn] = [
        .text(
            "group",
            "A channel, or what `--by` names: for every model the groups that any of them credits. `(none)` counts touches without it, `direct` counts events without a touch, `total` counts all."
        ),
        .text("model", "The attribution model: `last`, `first`, `linear`, `position` or `decay`.").asPart(),
        .decimal(
            "credits",
            unit: "installs or conversions",
            "The group's credits. `total` is the number of events, and the rows of a model add up to it."
        ),
        .rate("share", "`credits` ÷ those of `total`."),
    ]
    static let allColumns =
        columns + [
            .decimal("value", unit: ReportColumn.currency, "Each event's value, divided like its credit.")
                .asSum(of: "credits").only("with `--event conversion`")
        ]

    let credited: Credited
    let goal: String?
    let models: [AttributionModel]
    let grouping: EventGrouping
    let limit: Int
    let filter: EventFilter
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        credited = try parameters.choice("event", default: .install)
        goal = try parameters.text("goal")
        if goal != nil, credited == .install {
            throw .usage(
                message:
                    "\(parameter: "goal"): installs have no goal; add \(parameter: "event", value: "conversion")",
                field: "goal"
            )
        }
        models = try Self.models(reading: &parameters)
        grouping = try parameters.choice("by", default: .channel, among: parameters.filterKeys(of: .touch))
        limit = try parameters.groupLimit()
        let ofConversions = credited == .conversion ? parameters.properties.filter(\.isOfConversion) : []
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch) + ofConversions)
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    private static func models(reading parameters: inout ParameterReader) throws(ReportError) -> [AttributionModel] {
        let names = parameters.list("model", default: ["last"])
        if names == ["all"] { return AttributionModel.allCases }
        var models: [AttributionModel] = []
        if names.contains("all") { throw .invalid("model", "'all' cannot be combined with other models") }
        for name in names {
            guard let model = AttributionModel(rawValue: name) else {
                let allowed = AttributionModel.allCases.map(\.rawValue) + ["all"]
                throw .unknown("model", name, field: "model", allowed: allowed)
            }
            guard !models.contains(model) else { throw .invalid("model", "'\(name)' is given twice") }
            models.append(model)
        }
        return models
    }

    /// Installs have no value.
    var columns: [ReportColumn] { credited == .install ? Self.columns : Self.allColumns }
    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") + filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery(
            TimelineQuery.touchTypes.union(credited == .install ? [] : [.conversion]),
            in: range,
            lookback: lookback
        )
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    func events(_ run: ReportRun) -> CreditedEvents {
        CreditedEvents(
            range: run.range,
            installs: credited == .install,
            conversions: credited == .conversion,
            goal: goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
    }

    func makeFold(_ run: ReportRun) -> AttributionFold {
        AttributionFold(self, run)
    }
}

struct AttributionFold: LimitedFold {
    private let grouping: EventGrouping
    private let limit: Int
    private let tellsValue: Bool
    private let models: [AttributionModel]
    private let lookback: Int64
    private let events: CreditedEvents
    /// The conditions on the credited event itself.
    private let eventMatcher: EventMatcher?
    /// The conditions on touches.
    private let matcher: EventMatcher?
    private let dictionary: TimelineDictionary
    /// By model in the requested order, then by the property's number or code.
    private var groups: [[CreditSum]]
    /// By model: the credit of touches without the property.
    private var none: [CreditSum]
    /// The same for all models.
    private var direct = CreditSum()
    /// By model. Without a filter they are equal: the number of events.
    private var totals: [CreditSum]
    /// By model.
    private var others: [OtherCurrencies]
    private var shares: [Int64] = []
    private var candidates: [TimelineTouch] = []

    init(_ report: AttributionReport, _ run: ReportRun) {
        grouping = report.grouping
        limit = report.limit
        tellsValue = report.credited == .conversion
        models = report.models
        lookback = report.lookback.microseconds
        dictionary = run.dictionary
        eventMatcher = report.filter.only(\.isOfConversion).makeMatcher(run.dictionary)
        matcher = report.filter.only { !$0.isOfConversion }.makeMatcher(run.dictionary)
        events = report.events(run)
        let channels = report.grouping == .channel ? Channel.allCases.count : 0
        groups = report.models.map { _ in Array(repeating: CreditSum(), count: channels) }
        none = report.models.map { _ in CreditSum() }
        totals = none
        others = report.models.map { _ in OtherCurrencies(run) }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        let events = events
        events.forEach(of: person) { event in
            if let eventMatcher, !eventMatcher.keeps(person.events[event.position]) { return }
            person.copyTouches(before: event, within: lookback, to: &candidates)
            guard !candidates.isEmpty else {
                let credited = person.events[event.position]
                guard matcher?.keepsDirect(credited) ?? true else { return }
                for model in models.indices {
                    totals[model].add(units: CreditUnits.one, value: event.value)
                    others[model].add(credited)
                    if grouping.isOfPerson { add(CreditUnits.one, event.value, ofEvent: credited, model) }
                }
                return grouping.isOfPerson ? () : direct.add(units: CreditUnits.one, value: event.value)
            }
            if candidates.count == 1 {
                // All models agree on direct events.
                for model in models.indices {
                    credit(candidates[0], of: person, units: CreditUnits.one, for: event, model: model)
                }
                return
            }
            for model in models.indices {
                models[model].split(among: candidates, at: event.time, into: &shares)
                for index in candidates.indices where shares[index] != 0 {
                    credit(candidates[index], of: person, units: shares[index], for: event, model: model)
                }
            }
        }
    }

    private mutating func credit(
        _ touch: TimelineTouch,
        of person: borrowing PersonTimeline,
        units: Int64,
        for event: CreditedEvent,
        model: Int
    ) {
        let value = event.value
        var kept = units
        if let matcher {
            kept = matcher.kept(units, of: person.events[touch.event])
            guard kept > 0 else { return }
        }
        totals[model].add(units: kept, value: value)
        others[model].add(person.events[event.position], units: kept)
        switch grouping {
        case .channel: groups[model][touch.channel.position].add(units: kept, value: value)
        case .ref:
            let count = dictionary.forEachRef(of: touch.refs) { ref, index, count in
                if let matcher, !matcher.keeps(ref: ref) { return }
                add(CreditUnits.share(index, of: count, of: units), value, to: ref.index, model)
            }
            if count == 0 { none[model].add(units: kept, value: value) }
        default:
            add(kept, value, ofEvent: person.events[touch.event], model)
        }
    }

    private mutating func add(_ units: Int64, _ value: Int64, ofEvent event: TimelineEvent, _ model: Int) {
        let group = grouping.value(of: event, dictionary)
        if let group { add(units, value, to: group, model) } else { none[model].add(units: units, value: value) }
    }

    private mutating func add(_ units: Int64, _ value: Int64, to group: Int, _ model: Int) {
        while groups[model].count <= group { groups[model].append(CreditSum()) }
        groups[model][group].add(units: units, value: value)
    }

    /// Those of the model that has most of them: without a filter all have the same.
    var otherCurrencies: [OtherCurrencies] { others.max { $0.units < $1.units }.map { [$0] } ?? [] }

    mutating func merge(_ other: AttributionFold) {
        for model in groups.indices {
            while groups[model].count < other.groups[model].count { groups[model].append(CreditSum()) }
            for group in other.groups[model].indices { groups[model][group] += other.groups[model][group] }
            none[model] += other.none[model]
            totals[model] += other.totals[model]
            others[model] += other.others[model]
        }
        direct += other.direct
    }

    var size: Int { groups.reduce(0) { $0 + $1.heldSize } }
    var rowCount: Int { models.count * (min(limit, groups.reduce(0) { max($0, $1.count) }) + 4) }

    func finish(beside others: [[ReportCell]]?) -> [[ReportCell]] {
        guard grouping != .channel else { return rows(showing: channels) }
        guard let others else { return rows(showing: largest) }
        let shown = ShownBeside(others.lazy.map { $0[0] }, besides: ReportNames.all, limit)
        return rows(
            showing: shown.groups(of: credited, largest: largest) { grouping.name(ofValue: $0, dictionary) }
        )
    }

    private var channels: [Int] { Array(groups[0].indices) }

    /// Every model shows the groups that any of them credits.
    private var credited: some Sequence<Int> {
        let count = groups.map(\.count).max() ?? 0
        return (0..<count).lazy.filter { group in
            groups.contains { group < $0.count && $0[group].units > 0 } && !grouping.isOthers(group, dictionary)
        }
    }

    /// The groups that the first model credits most.
    private var largest: [Int] {
        smallest(limit, of: credited) { one, other in
            let sums = (sum(of: one, model: 0).millionths, sum(of: other, model: 0).millionths)
            if sums.0 != sums.1 { return sums.0 > sums.1 }
            return precedes(grouping.name(ofValue: one, dictionary), grouping.name(ofValue: other, dictionary))
        }
    }

    private func sum(of group: Int, model: Int) -> CreditSum {
        group < groups[model].count ? groups[model][group] : CreditSum()
    }

    private func rows(showing shown: [Int]) -> [[ReportCell]] {
        let known = Set(shown)
        let others = groups.map { sums in
            sums.indices.reduce(into: CreditSum()) { if !known.contains($1) { $0 += sums[$1] } }
        }
        // Touches without a ref are common, so their row is always there.
        let hasNone = grouping == .ref || none.contains { $0.units > 0 }
        return models.indices.flatMap { model in
            var rows = named(shown, ofModel: model)
            if others.contains(where: { $0.units > 0 }) { rows.append((ReportNames.others, others[model])) }
            if hasNone { rows.append((ReportNames.none, none[model])) }
            rows += [(ReportNames.direct, direct), (ReportNames.total, totals[model])]
            return rows.map { name, sum in
                [
                    .text(name), .text(models[model].rawValue), sum.unitsCell,
                    .fraction(sum.units, of: totals[model].units),
                ] + (tellsValue ? [sum.valueCell] : [])
            }
        }
    }

    private func named(_ credited: [Int], ofModel model: Int) -> [(name: String, sum: CreditSum)] {
        let rows = credited.map { group in
            (name: grouping.name(ofValue: group, dictionary), sum: sum(of: group, model: model))
        }
        if grouping == .channel { return rows }
        return
            rows
            // Sorted by the credits as shown, so that hidden digits never decide the order.
            .sorted {
                $0.1.millionths == $1.1.millionths ? precedes($0.0, $1.0) : $0.1.millionths > $1.1.millionths
            }
    }
}
