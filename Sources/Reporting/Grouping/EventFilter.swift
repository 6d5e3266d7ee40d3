import Timelines

/// Which events a report keeps (`--where`): those that meet all conditions.
///
/// The one law: the figures of `--where k=v` are those of the row v of the same report with `--by k`. So a touch with
/// several refs is one part for each ref, and each part is kept or not. Credits are divided among all touches first.
/// What no touch is credited with, `direct`, has no properties, and is never kept.
struct EventFilter: Equatable, Sendable {
    private(set) var conditions: [EventCondition] = []

    /// Everything is kept.
    init() {}

    /// - Parameter keys: the keys that the report can filter by.
    /// - Throws: `ReportError.usage`.
    init(reading reader: inout ParameterReader, keys: [EventGrouping]) throws(ReportError) {
        for text in reader.texts("where") {
            let condition = try EventCondition(parsing: text, keys: keys)
            conditions.append(condition)
            reader.note("where", condition.text)
        }
    }

    var isEmpty: Bool { conditions.isEmpty }

    /// The conditions on properties that feed posts have, too: refs and the platform. Posts are counted whatever else
    /// their touches must be.
    var ofPosts: EventFilter { only(Set(EventGrouping.allowed(for: .feedPost))) }

    /// The conditions on some keys.
    func only(_ keys: Set<EventGrouping>) -> EventFilter {
        var filter = self
        filter.conditions.removeAll { !keys.contains($0.key) }
        return filter
    }

    /// The conditions on all other keys.
    func without(_ keys: Set<EventGrouping>) -> EventFilter {
        var filter = self
        filter.conditions.removeAll { keys.contains($0.key) }
        return filter
    }

    /// Asks for what the conditions read.
    func add(to query: inout TimelineQuery) {
        for condition in conditions { query.need(condition.key) }
    }

    /// Of a property with few values: those that the conditions on it keep.
    func keptValues(of key: EventGrouping) -> [String] {
        let own = conditions.filter { $0.key == key }
        return (key.closedValues ?? []).filter { value in own.allSatisfy { $0.isMet(by: value) } }
    }

    /// Nil if everything is kept.
    func makeMatcher(_ dictionary: TimelineDictionary) -> EventMatcher? {
        isEmpty ? nil : EventMatcher(conditions, dictionary)
    }
}

extension ReportParameter {
    /// The keys of `where` that some report takes.
    package static var filterKeys: [String] { EventGrouping.filterKeys.map(\.rawValue) }

    /// - Parameter keys: the keys that the report can filter by.
    static func filter(_ keys: [EventGrouping]) -> ReportParameter {
        ReportParameter(
            "where",
            "CONDITION",
            """
            Count only what has a property: KEY=VALUE[,VALUE…] or KEY!=VALUE[,VALUE…], with a KEY of \
            \(keys.map(\.rawValue).joined(separator: ", ")). May be repeated; all must hold.
            """,
            offered: keys.flatMap { key in (key.closedValues ?? [""]).map { "\(key.rawValue)=\($0)" } }
        )
    }
}
