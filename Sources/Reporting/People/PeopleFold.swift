import Timelines

/// A fold that can tell who is behind its figures. It counts and tells in the same place, so that the people of a list
/// are those of the figure.
protocol PeopleFold: ReportFold {
    /// Counts a person, and tells of each group in which the person counts.
    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E)

    /// The rows of the report, in order, with the groups that each stands for.
    ///
    /// - Throws: `TimelineError` if the fold's temporary file cannot be read.
    func peopleRows() throws -> [PeopleRow]
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
    /// If the row stands for all groups that no other row is about: their periods.
    private(set) var othersPeriods: [Int] = []

    init(names: [ReportCell], groups: [PeopleGroup], isTotal: Bool = false) {
        (self.names, self.groups, self.isTotal) = (names, groups, isTotal)
    }

    /// The row of all named groups of some periods that no other row is about.
    static func others(_ names: [ReportCell], in periods: [Int] = [0]) -> PeopleRow {
        var row = PeopleRow(names: names, groups: [])
        row.othersPeriods = periods
        return row
    }

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

    /// The period whose `(others)` may stand for it; nil for `direct` and `total`.
    var namedPeriod: Int? { kind == .named ? Int(period) : nil }

    static func named(_ key: GroupKey, in period: Int = 0) -> Self { Self(.named, period, key) }
    /// What has a text of the dictionary, such as a ref; `none`: what has none.
    static func of(_ code: Code, in period: Int = 0) -> Self { named(GroupKey(code: code), in: period) }
    static func direct(in period: Int) -> Self { Self(.direct, period) }
    static func total(in period: Int) -> Self { Self(.total, period) }

    static let direct = direct(in: 0)
    static let total = total(in: 0)
}
