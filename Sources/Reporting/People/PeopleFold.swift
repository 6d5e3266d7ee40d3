import Timelines

/// A fold that can tell who is behind its figures. It counts and tells in the same place, so that the people of a list
/// are those of the figure.
protocol PeopleFold: ReportFold {
    /// Counts a person, and tells of each group in which the person counts.
    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E)

    /// The rows of the report, in order, with the groups that each stands for.
    func peopleRows() -> [PeopleRow]
}

extension PeopleFold {
    mutating func add(_ person: borrowing PersonTimeline) {
        var none = NoEvidence()
        add(person, telling: &none)
    }
}

/// A row of a report, as a list of people names it.
struct PeopleRow: Sendable {
    /// The cells of the columns that name the row.
    var names: [ReportCell]
    var groups: [PeopleGroup]
    /// Whether the row counts the people of other rows again.
    var isTotal = false

    /// As the list shows it: `search`, or `2026-11-02 / search`.
    var name: String { names.compactMap(\.plainText).joined(separator: GroupFinder.separator) }
}

/// What a fold counts together.
struct PeopleGroup: Hashable, Sendable {
    private enum Kind: Int8 {
        case named, direct, total
    }

    private var kind: Kind
    /// Of a report by period, its position; of `retention`, the cohort.
    private var period: Int32
    private var key: GroupKey

    private init(_ kind: Kind, _ period: Int, _ key: GroupKey = GroupKey(number: nil)) {
        self.kind = kind
        self.period = Int32(truncatingIfNeeded: period)
        self.key = key
    }

    static func named(_ key: GroupKey, in period: Int = 0) -> Self { Self(.named, period, key) }
    /// What has a text of the dictionary, such as a ref; `none`: what has none.
    static func of(_ code: Code, in period: Int = 0) -> Self { named(GroupKey(code: code), in: period) }
    static func direct(in period: Int) -> Self { Self(.direct, period) }
    static func total(in period: Int) -> Self { Self(.total, period) }

    static let direct = direct(in: 0)
    static let total = total(in: 0)
}
