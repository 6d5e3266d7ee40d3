import Events
import Time
import Timelines

/// A funnel, as requested.
struct Funnel: Equatable, Sendable {
    static let stepLimit = 8

    /// 2–8 steps. One may occur again: then it is the next such event.
    var steps: [FunnelStep]
    /// No, one or two different groupings; never `.none`.
    var groupings: [EventGrouping] = []
    /// How many groups are shown, if the values of a grouping may be any number.
    var limit = GroupFinder.defaultLimit
    /// Which events that start a chain are kept.
    var filter = EventFilter()
    /// How long after its start a chain may end.
    var window = ReportDuration(days: 7)
    /// For each step but the last, how long after it the next may come; nil if only the window limits it.
    var stepWindows: [ReportDuration?]
    var order = FunnelOrder.sequential
    /// The events that cut a chain.
    var exclusions: [FunnelAlternative] = []

    init(steps: [FunnelStep]) {
        self.steps = steps
        stepWindows = Array(repeating: nil, count: steps.count - 1)
    }

    /// The name of a step in rows, by its position from 0. In the order `any`, row k is about people who did any k
    /// steps.
    func name(ofStep position: Int) -> String {
        order == .any ? "\(position + 1) of \(steps.count)" : steps[position].description
    }

    /// The steps that a chain may start with.
    var startingSteps: ArraySlice<FunnelStep> {
        order == .any ? steps[...] : steps.prefix(1)
    }

    /// The goals of its steps and of the events that cut it.
    var namedValues: [NamedValue] {
        let alternatives = steps.flatMap(\.alternatives)
        return NamedValue.goals(alternatives.map(\.event.goal), of: "steps")
            + NamedValue.goals(exclusions.map(\.event.goal), of: "exclude") + filter.namedValues
            + alternatives.flatMap { $0.filter.namedValues(of: "steps") }
            + exclusions.flatMap { $0.filter.namedValues(of: "exclude") }
    }

    /// A chain that starts here or later may still become longer after `now`.
    func matureEnd(at now: Timestamp) -> Timestamp { now.advanced(by: .zero - window.duration) }

    /// - Parameter earlier: how long before the range starts are needed, too.
    func query(in range: ReportRange, startsEarlierBy earlier: Duration = .zero) -> TimelineQuery {
        var types = steps.reduce(into: Set<EventType>()) { $0.formUnion($1.types) }
        for exclusion in exclusions { types.formUnion(exclusion.event.types) }
        // Any event may come between two steps.
        if order == .strict { types = Set(EventType.allCases) }
        let from = range.from.advanced(by: .zero - earlier)
        let conditioned = (steps.flatMap(\.alternatives) + exclusions).filter { !$0.filter.isEmpty }
        let hasProperties = !groupings.isEmpty || !filter.isEmpty
        let readsInstalls =
            hasProperties && startingSteps.contains { $0.alternatives.contains { $0.event == .install } }
            || conditioned.contains { $0.event == .install }
        var query = TimelineQuery(
            types: types,
            touchesFrom: from,
            eventsFrom: from,
            through: range.to.advanced(by: window.duration),
            // Of two installs at one instant the first one counts, and its properties may decide the group.
            needs: readsInstalls ? .ids : []
        )
        for grouping in groupings { query.need(grouping) }
        filter.add(to: &query)
        for alternative in conditioned { alternative.filter.add(to: &query) }
        return query
    }
}

/// The order in which the steps of a funnel must happen.
enum FunnelOrder: String, CaseIterable, Sendable {
    /// Each step at or after the one before. Other events may come between.
    case sequential
    /// Each step at or after the one before, with no other event of the person between.
    case strict
    /// Steps in any order.
    case any
}
