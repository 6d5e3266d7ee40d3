import Timelines

typealias EventFilter = Filter<EventGrouping>

/// Which events a report keeps (`--where`): those that meet all conditions.
///
/// The one law: the figures of `--where k=v` are those of the row v of the same report with `--by k`. So a touch with
/// several refs is one part for each ref, and each part is kept or not. Credits are divided among all touches first.
/// What no touch is credited with, `direct`, has no properties, and is never kept.
struct Filter<Key: FilterKey>: Hashable, Sendable {
    private(set) var conditions: [FilterCondition<Key>] = []

    /// Everything is kept.
    init() {}

    /// - Parameter keys: the keys that the report can filter by.
    /// - Throws: `ReportError.usage`.
    init(reading reader: inout ParameterReader, keys: [Key]) throws(ReportError) {
        for text in reader.texts("where") {
            let condition = try FilterCondition(parsing: text, keys: keys, known: reader.properties.map(\.rawValue))
            conditions.append(condition)
            reader.note("where", condition.text)
        }
    }

    var isEmpty: Bool { conditions.isEmpty }

    mutating func add(_ condition: FilterCondition<Key>) { conditions.append(condition) }

    /// The conditions on some keys.
    func only(_ isWanted: (Key) -> Bool) -> Self {
        var filter = self
        filter.conditions.removeAll { !isWanted($0.key) }
        return filter
    }

    /// The values of keys that only events can tell. The others are known without events.
    var namedValues: [NamedValue] { namedValues(of: "where") }

    /// - Parameter parameter: the one that has the conditions.
    func namedValues(of parameter: String) -> [NamedValue] {
        conditions.flatMap { condition -> [NamedValue] in
            guard let kind = condition.key.namedKind else { return [] }
            return condition.values.filter { !kind.isCollective($0) }.map { value in
                let isPrefix = kind.grouping?.hasPrefixes == true && value.hasSuffix("*")
                let text = isPrefix ? String(value.dropLast()) : value
                return NamedValue(parameter: parameter, kind: kind, text: text, isPrefix: isPrefix)
            }
        }
    }
}

extension EventFilter {
    /// The conditions on properties that feed posts have, too: refs and the platform. Posts are counted whatever else
    /// their touches must be.
    var ofPosts: EventFilter { only { $0.isAllowed(for: .feedPost) } }

    /// Asks for what the conditions read.
    func add(to query: inout TimelineQuery) {
        for condition in conditions { query.need(condition.key) }
    }

    /// Nil if everything is kept.
    func makeMatcher(_ dictionary: TimelineDictionary) -> EventMatcher? {
        isEmpty ? nil : EventMatcher(conditions, dictionary)
    }
}

extension ReportParameter {
    /// The keys of `where` that some report takes.
    static let filterKeys: [String] = {
        let ofEvents = EventGrouping.filterKeys.map(\.rawValue)
        return ofEvents + PostKey.allCases.map(\.rawValue).filter { !ofEvents.contains($0) }
            + [EventGrouping.doubt.rawValue]
    }()

    /// - Parameter keys: the keys that the report can filter by.
    static func filter<Key: FilterKey>(_ keys: [Key]) -> ReportParameter {
        ReportParameter(
            "where",
            "CONDITION",
            """
            Count only what has a property: KEY=VALUE[,VALUE…] or KEY!=VALUE[,VALUE…], with a KEY of \
            \(keys.map(\.rawValue).joined(separator: ", "))\(Key.others). May be repeated; all must hold.
            """,
            offered: keys.flatMap { key in (key.closedValues ?? [""]).map { "\(key.rawValue)=\($0)" } },
            repetition: .all
        )
    }

    /// Says which report knows the key `doubt`, if this one does not.
    ///
    /// - Parameter value: the given one.
    func refuseDoubt(in value: String, of report: String) throws(ReportError) {
        let doubt = EventGrouping.doubt.rawValue
        let keys: [Substring] =
            switch name {
            case "by": value.split { $0 == "," || $0 == " " }
            case "where": [value.prefix { $0 != "=" && $0 != "!" }]
            default: []
            }
        guard keys.contains(where: { $0 == doubt }),
            !offered.contains(where: { $0 == doubt || $0.hasPrefix(doubt + "=") })
        else { return }
        throw .usage(
            message:
                "\(parameter: name): \(report) cannot tell doubtful installs, because that takes the installs of all people together; the report \(GenerationsReport.name) knows \(parameter: "by", value: doubt) and \(parameter: "where", value: "\(doubt)=self")",
            field: name
        )
    }
}
