import Events
import Time
import Timelines

/// Whose events a report counts: those of people who meet all conditions.
///
/// The one law: the figures are those of the same report over the events of these people alone. What events get from
/// those of others stays: the refs of a story, the post that a touch came from, who invited whom. Events of nobody are
/// left out.
struct PeopleConditions: Hashable, Sendable {
    /// A mask has a bit for each (``FunnelMasks``).
    private static let limit = 8

    private(set) var all: [PeopleCondition] = []

    /// All events count.
    init() {}

    /// - Parameter reason: why there can be no conditions; nil if there can.
    /// - Throws: `ReportError.usage`.
    init(reading reader: inout ParameterReader, refusedFor reason: String? = nil) throws(ReportError) {
        for parameter in [ReportParameter.with, .without] {
            for text in reader.texts(parameter.name) {
                if let reason { throw .invalid(parameter.name, reason) }
                guard all.count < Self.limit else {
                    throw .usage(
                        message: """
                            there can be \(Self.limit) events of \(parameter: ReportParameter.with.name) and \
                            \(parameter: ReportParameter.without.name) at most: join events with |, as \
                            'install|conversion'
                            """,
                        field: parameter.name
                    )
                }
                let condition = try PeopleCondition(
                    parsing: text,
                    isExclusion: parameter == .without,
                    reader: reader
                )
                all.append(condition)
                reader.note(parameter.name, condition.text)
            }
        }
    }

    var isEmpty: Bool { all.isEmpty }

    /// The values of the conditions that only events can tell.
    var namedValues: [NamedValue] {
        all.flatMap { condition in
            let (alternatives, name) = (condition.step.alternatives, condition.parameter.name)
            return NamedValue.goals(alternatives.map(\.event.goal), of: name)
                + alternatives.flatMap { $0.filter.namedValues(of: name) }
        }
    }

    /// The events that decide: of all of history, if a condition does not limit them to some days.
    ///
    /// - Parameter ends: of the ranges; not empty.
    func query(until ends: [Timestamp]) -> TimelineQuery {
        let ever = Timestamp.spellable.lowerBound
        let from = all.map { start(of: $0, until: ends.min() ?? ever) ?? ever }.min() ?? ever
        let alternatives = all.flatMap(\.step.alternatives)
        // Of two installs at one instant the first one counts, and its properties may decide.
        let readsInstalls = alternatives.contains { $0.event == .install && !$0.filter.isEmpty }
        var query = TimelineQuery(
            types: alternatives.reduce(into: []) { $0.formUnion($1.event.types) },
            touchesFrom: from,
            eventsFrom: from,
            through: ends.max() ?? ever,
            needs: readsInstalls ? .ids : []
        )
        if alternatives.contains(where: { $0.event.goal != nil }) { query.needs.insert(.goals) }
        for alternative in alternatives { alternative.filter.add(to: &query) }
        return query
    }

    /// From when on events count; nil: from the first one on.
    fileprivate func start(of condition: PeopleCondition, until end: Timestamp) -> Timestamp? {
        condition.days.map { end.advanced(by: .seconds(-86_400 * $0)) }
    }
}

/// In which of a report's ranges a person counts.
struct CountedRanges: OptionSet {
    let rawValue: UInt8

    static let own = CountedRanges(rawValue: 1 << 0)
    /// The preceding range, for a report that compares two by itself.
    static let previous = CountedRanges(rawValue: 1 << 1)
    static let both: CountedRanges = [.own, .previous]
}

/// Decides whether people meet the conditions of `--with` and `--without`.
struct PeopleMatcher {
    private let conditions: [PeopleCondition]
    /// For each range, where it ends and from when on events count for each condition. In microseconds.
    private let ranges: [(end: Int64, starts: [Int64])]
    private var facts: FunnelFacts

    /// - Parameter ends: of the own range and, for a report that compares by itself, of the preceding one.
    init(_ conditions: PeopleConditions, _ dictionary: TimelineDictionary, until ends: [Timestamp]) {
        self.conditions = conditions.all
        ranges = ends.map { end in
            (end.microseconds, conditions.all.map { conditions.start(of: $0, until: end)?.microseconds ?? .min })
        }
        facts = FunnelFacts(serving: conditions.all.map(\.step), dictionary: dictionary)
    }

    /// The ranges in which a person counts.
    mutating func ranges(of person: borrowing PersonTimeline) -> CountedRanges {
        guard person.isPerson else { return [] }
        facts.load(person)
        var counted: CountedRanges = []
        for number in ranges.indices where areMet(in: number) {
            counted.insert(CountedRanges(rawValue: 1 << UInt8(number)))
        }
        return counted
    }

    private func areMet(in range: Int) -> Bool {
        var counts = SIMD8<Int32>.zero
        for fact in facts.facts where fact.time < ranges[range].end {
            for number in conditions.indices
            where fact.steps & 1 << UInt8(number) != 0 && fact.time >= ranges[range].starts[number] {
                counts[number] &+= 1
            }
        }
        return conditions.indices.allSatisfy { number in
            (Int(counts[number]) >= conditions[number].count) != conditions[number].isExclusion
        }
    }
}
