import Timelines

/// What one connection has counted of the timelines that it read.
final class PartialReport<R: Report>: @unchecked Sendable {
    // `@unchecked Sendable`: one connection creates it and gives it away. Afterwards one task uses it, once.

    private var fold: RequestFold<R>
    private let reassigned: PackedReader.Reassigned

    init(fold: RequestFold<R>, reassigned: PackedReader.Reassigned) {
        self.fold = fold
        self.reassigned = reassigned
    }

    /// The rows of the report, from this part and those of the other connections.
    func finish(with others: [PartialReport]) throws -> CountedRows {
        if !others.isEmpty { reassigned.dictionary.catchUp() }
        for other in others { fold.merge(other.fold) }
        try reassigned.forEachPerson(with: others.map(\.reassigned)) { person in fold.add(person) }
        return try fold.finish()
    }
}
