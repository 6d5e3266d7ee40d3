import Events
import InboundLinks
import Time
import Timelines

/// Finds the groups of events by one or two properties, and names and orders them for a report.
final class GroupFinder {
    /// Between the names of a pair.
    static let separator = " / "

    private let grouping: EventGrouping
    /// The second property, or `none`.
    private let second: EventGrouping
    private let matcher: EventMatcher?
    private let dictionary: TimelineDictionary
    private var days: DayFinder
    private let dates: PeriodDates

    /// - Parameter matcher: the refs that have groups; nil for all.
    init(
        _ grouping: EventGrouping,
        and second: EventGrouping = .none,
        matching matcher: EventMatcher? = nil,
        _ run: ReportRun
    ) {
        self.grouping = grouping
        self.second = second
        self.matcher = matcher
        dictionary = run.dictionary
        days = DayFinder(zone: run.zone)
        dates = PeriodDates(run)
    }

    /// Says how many groups a report shows, the others as one.
    ///
    /// - Parameters:
    ///   - isOptional: whether all are shown if it is not given.
    ///   - needsProperty: whether the report has groups only by a property.
    static func limit(
        _ what: String,
        _ more: String = "",
        isOptional: Bool = false,
        needsProperty: Bool = false
    ) -> ReportParameter {
        let more = (isOptional ? " By default all are shown." : "") + more
        return ReportParameter(
            "limit",
            "NUMBER",
            "The most groups, 1–\(limits.upperBound), those with the most \(what); the rest is one, (others).\(more)",
            default: isOptional ? nil : String(defaultLimit),
            needsProperty: needsProperty
        )
    }

    static let limits = 1...10_000
    static let defaultLimit = 50

    /// The groups that a report shows even if they are empty. None for pairs.
    var fixedKeys: [GroupKey] {
        grouping == .channel && second == .none ? Channel.allCases.map { GroupKey(number: $0.position) } : []
    }

    /// Calls `body` with each group of an event. An event with several refs is in the group of each, any other in
    /// exactly one.
    ///
    /// - Parameter time: for a touch, its time t.
    func forEachKey(of event: TimelineEvent, at time: Timestamp, _ body: (GroupKey) -> Void) {
        if second == .none {
            forEachKey(of: event, at: time, by: grouping, body)
        } else {
            forEachKey(of: event, at: time, by: grouping) { first in
                forEachKey(of: event, at: time, by: second) { body(GroupKey(first, $0)) }
            }
        }
    }

    private func forEachKey(
        of event: TimelineEvent,
        at time: Timestamp,
        by grouping: EventGrouping,
        _ body: (GroupKey) -> Void
    ) {
        switch grouping.source {
        case .none: break
        case .value, .text, .page, .property: body(GroupKey(number: grouping.value(of: event, dictionary)))
        case .period(let period): body(GroupKey(number: dates.number(of: days.day(of: time), period)))
        case .refs:
            let refs = dictionary.refs(of: event.refs)
            if refs.isEmpty { body(GroupKey(code: .none)) }
            for ref in refs where matcher?.keeps(ref: ref) ?? true { body(GroupKey(code: ref)) }
        }
    }

    /// `search`, or for a pair `search / winter`.
    func name(of key: GroupKey) -> String {
        let (first, second) = names(of: key)
        return self.second == .none ? first : first + Self.separator + second
    }

    /// Whether a group stands for all values of a declared property that have no row of their own.
    func isOthers(_ key: GroupKey) -> Bool { second == .none && grouping.isOthers(key.number, dictionary) }

    /// Whether there may be any number of groups. Days, weeks and months are as many as the range has.
    var isOpen: Bool { grouping.isText || second.isText }

    /// The group with a name, of one property that is no time; nil if no group has it.
    func key(named name: String) -> GroupKey? {
        if name == ReportNames.none { return GroupKey(number: nil) }
        if let number = grouping.number(named: name) { return GroupKey(number: number) }
        return grouping.code(of: name, dictionary).map { GroupKey(code: $0) }
    }

    private func names(of key: GroupKey) -> (String, String) {
        (name(of: key.number, by: grouping), name(of: key.second, by: second))
    }

    private func name(of number: Int?, by grouping: EventGrouping) -> String {
        guard let number else { return ReportNames.none }
        return switch grouping.source {
        case .none: ReportNames.total
        case .period: CivilDate(number: number).description
        default: grouping.name(ofValue: number, dictionary)
        }
    }

    /// Groups with their names, in the order of rows. If the first property is the channel, channels come in their own
    /// order. Then groups come by count, descending, then by name (channels in their own order), with `(none)` last.
    /// Pairs without the first property come last. Among the others, or among those of one channel if the first
    /// property is the channel, pairs without the second property come last.
    func ordered<Counts>(_ groups: [(GroupKey, Counts)], count: (Counts) -> Int64) -> [(name: String, counts: Counts)] {
        groups
            .map { key, counts in (key: key, names: names(of: key), count: count(counts), counts: counts) }
            .sorted { first, second in
                if first.key.isNone != second.key.isNone { return second.key.isNone }
                if grouping == .channel, first.key.number != second.key.number {
                    return (first.key.number ?? 0) < (second.key.number ?? 0)
                }
                if (first.key.second == nil) != (second.key.second == nil) { return second.key.second == nil }
                if first.count != second.count { return first.count > second.count }
                if first.key.number != second.key.number { return precedes(first.names.0, second.names.0) }
                if self.second == .channel { return (first.key.second ?? 0) < (second.key.second ?? 0) }
                return precedes(first.names.1, second.names.1)
            }
            .map { (name(of: $0.key), $0.counts) }
    }
}
