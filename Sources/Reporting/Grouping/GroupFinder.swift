import Events
import InboundLinks

/// Finds the groups of events, and names and orders them for a report.
final class GroupFinder {
    private let grouping: EventGrouping
    private let dictionary: TimelineDictionary
    private var days: DayFinder

    init(_ grouping: EventGrouping, _ run: ReportRun) {
        self.grouping = grouping
        dictionary = run.dictionary
        days = DayFinder(zone: run.zone)
    }

    /// The groups that a report shows even where nothing is in them.
    var fixedKeys: [GroupKey] {
        grouping == .channel ? Channel.allCases.map { GroupKey(number: $0.position) } : []
    }

    /// Calls `body` with each group of an event: with several refs in the group of each, else in exactly one.
    ///
    /// - Parameter time: of a touch, its t.
    func forEachKey(of event: TimelineEvent, at time: Timestamp, _ body: (GroupKey) -> Void) {
        switch grouping {
        case .none: break
        case .channel: body(GroupKey(number: event.channel?.position))
        case .platform: body(GroupKey(number: event.platform?.position))
        case .refererApp: body(GroupKey(code: event.referer))
        case .targetURL: body(GroupKey(code: event.target))
        case .day: body(GroupKey(number: days.day(of: time).number))
        case .ref:
            let refs = dictionary.refs(of: event.refs)
            if refs.isEmpty { body(GroupKey(code: .none)) }
            for ref in refs { body(GroupKey(code: ref)) }
        }
    }

    func name(of key: GroupKey) -> String {
        guard let number = key.number else { return ReportNames.none }
        return switch grouping {
        case .none: ReportNames.total
        case .channel: Channel.allCases[number].rawValue
        case .platform: Platform.allCases[number].rawValue
        case .day: CalendarDay(number: number).description
        case .ref: dictionary.refs.text(of: Code(rawValue: Int32(number)))
        case .refererApp: dictionary.referers.text(of: Code(rawValue: Int32(number)))
        case .targetURL: dictionary.targets.text(of: Code(rawValue: Int32(number)))
        }
    }

    /// Groups with their names, in the order of rows: channels in their own; else by the count, descending, then by name,
    /// `(none)` last.
    func ordered<Counts>(_ groups: [(GroupKey, Counts)], count: (Counts) -> Int64) -> [(name: String, counts: Counts)] {
        groups
            .map { key, counts in (key: key, name: name(of: key), counts: counts) }
            .sorted { first, second in
                if first.key.isNone != second.key.isNone { return second.key.isNone }
                if grouping == .channel { return (first.key.number ?? 0) < (second.key.number ?? 0) }
                let counts = (count(first.counts), count(second.counts))
                return counts.0 == counts.1 ? precedes(first.name, second.name) : counts.0 > counts.1
            }
            .map { ($0.name, $0.counts) }
    }
}
