import Timelines

/// What one connection has counted of the timelines that it read.
final class PartialReport<Fold: ReportFold>: @unchecked Sendable {
    // `@unchecked Sendable`: one connection creates it and gives it away. Afterwards one task uses it, once.

    private var fold: Fold
    private let reassigned: PackedReader.Reassigned

    init(fold: Fold, reassigned: PackedReader.Reassigned) {
        self.fold = fold
        self.reassigned = reassigned
    }

    /// The table of the report, from this part and those of the other connections.
    func table(_ columns: [ReportColumn], with others: [PartialReport]) throws -> ReportTable {
        if !others.isEmpty { reassigned.dictionary.catchUp() }
        for other in others { fold.merge(other.fold) }
        try reassigned.forEachPerson(with: others.map(\.reassigned)) { person in fold.add(person) }
        return try ReportTable(columns: columns, of: fold)
    }
}

extension ReportTable {
    init(columns: [ReportColumn], of fold: consuming some ReportFold) throws {
        let otherCurrencies = fold.otherCurrencies.map(\.amounts)
        self.init(columns: columns, rows: try fold.finish(), otherCurrencies: otherCurrencies)
    }
}
