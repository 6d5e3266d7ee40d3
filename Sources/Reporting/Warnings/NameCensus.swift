import Events
import Timelines

/// Counts the values of some kinds over all events of an app. It is no report of the catalogue.
struct NameCensus: Report {
    static let name = "names"
    static let summary = "The names that occur in events."
    static let parameters: [ReportParameter] = []
    static let columns: [ReportColumn] = [
        .text("kind", "The kind of the name."), .text("name", "The name."),
        .integer("count", unit: "events", "How often it occurs."),
    ]

    private let kinds: Set<NamedValue.Kind>

    init(_ kinds: Set<NamedValue.Kind>) {
        self.kinds = kinds
    }

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        kinds = []
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var types: Set<EventType> = []
        if kinds.contains(.goal) { types.insert(.conversion) }
        if !kinds.isSubset(of: [.goal, .poster]) { types.formUnion(TimelineQuery.touchTypes) }
        if !kinds.isDisjoint(with: [.key(.ref), .poster]) { types.insert(.feedPost) }
        if !kinds.isDisjoint(with: EventGrouping.ofEveryEvent.map { .key($0) }) { types = Set(EventType.allCases) }
        var query = TimelineQuery(types, in: range, needs: kinds.contains(.goal) ? .goals : [])
        for kind in kinds { kind.grouping.map { query.need($0) } }
        if kinds.contains(.poster) { query.needs.formUnion([.ids, .storyPosts, .postDetails, .posters]) }
        return query
    }

    func makeFold(_ run: ReportRun) -> NameCensusFold {
        NameCensusFold(kinds, dictionary: run.dictionary)
    }
}

struct NameCensusFold: ReportFold {
    private let kinds: Set<NamedValue.Kind>
    private let dictionary: TimelineDictionary
    private var counts: [NamedValue.Kind: GroupTable<Int64>]

    init(_ kinds: Set<NamedValue.Kind>, dictionary: TimelineDictionary) {
        self.kinds = kinds
        self.dictionary = dictionary
        counts = kinds.reduce(into: [:]) { $0[$1] = GroupTable(empty: 0) }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        for position in person.events.indices {
            let event = person.events[position]
            for kind in kinds {
                switch kind {
                case .goal: count(event.goal, as: kind)
                case .key(.ref): for ref in dictionary.refs(of: event.refs) { count(ref, as: kind) }
                case .poster:
                    guard case .feedPost = event.type else { continue }
                    count(dictionary.storyPosts.details?.detail(of: event.id)?.poster ?? .none, as: kind)
                default: count(kind.grouping?.code(of: event, dictionary) ?? .none, as: kind)
                }
            }
        }
    }

    private mutating func count(_ code: Code, as kind: NamedValue.Kind) {
        guard !code.isNone else { return }
        counts[kind]?.update(GroupKey(code: code)) { $0 += 1 }
    }

    var size: Int { counts.values.reduce(0) { $0 + $1.size } }
    var rowCount: Int { counts.values.reduce(0) { $0 + $1.rows.count } }

    mutating func merge(_ other: NameCensusFold) {
        for (kind, others) in other.counts { counts[kind]?.merge(others, +=) }
    }

    consuming func finish() -> [[ReportCell]] {
        let dictionary = dictionary
        return counts.flatMap { kind, counts in
            zip(counts.keys, counts.rows).map { key, count in
                [.text(kind.name), .text(Self.name(of: key.code, kind, dictionary)), .integer(count)]
            }
        }
    }

    private static func name(of code: Code, _ kind: NamedValue.Kind, _ dictionary: TimelineDictionary) -> String {
        switch kind {
        case .goal: return dictionary[.goal].text(of: code)
        case .poster:
            // The first byte of a person's key says what the id is of.
            let key = dictionary.storyPosts.details?.posters.bytes(of: code) ?? []
            return String(decoding: key.dropFirst(), as: UTF8.self)
        default: return kind.grouping?.text(of: code, dictionary) ?? ""
        }
    }
}
