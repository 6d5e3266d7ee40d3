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

    /// The rows of the report, from this part and the other connection's.
    func rows(with other: PartialReport?) throws -> [[ReportCell]] {
        if let other {
            reassigned.dictionary.catchUp()
            fold.merge(other.fold)
        }
        try reassigned.forEachPerson(with: other?.reassigned) { person in fold.add(person) }
        return try fold.finish()
    }
}
