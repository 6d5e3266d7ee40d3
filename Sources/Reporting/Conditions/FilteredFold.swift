import Timelines

/// The fold of a report about some people alone (`--with`, `--without`). The folds of other reports are none, so they
/// do not ask.
struct FilteredFold<Fold: ReportFold>: ReportFold {
    private var fold: Fold
    private var matcher: PeopleMatcher

    init(_ fold: Fold, _ matcher: PeopleMatcher) {
        self.fold = fold
        self.matcher = matcher
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        fold.add(person, counting: matcher.ranges(of: person))
    }

    var otherCurrencies: [OtherCurrencies] { fold.otherCurrencies }
    var size: Int { fold.size }
    var rowCount: Int { fold.rowCount }

    mutating func merge(_ other: FilteredFold) { fold.merge(other.fold) }

    consuming func finish() throws -> [[ReportCell]] { try fold.finish() }
}

extension FilteredFold: LimitedFold where Fold: LimitedFold {
    consuming func finish(beside rows: [[ReportCell]]?) throws -> [[ReportCell]] { try fold.finish(beside: rows) }
}

extension FilteredFold: PeopleFold where Fold: PeopleFold {
    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard matcher.ranges(of: person).contains(.own) else { return }
        fold.add(person, telling: &evidence)
    }

    func peopleRows() throws -> [PeopleRow] { try fold.peopleRows() }
}
