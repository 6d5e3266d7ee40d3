/// What one connection has made of the timelines that it read.
final class PackedPart<Fold: ReportFold>: @unchecked Sendable {
    // Guard of `@unchecked Sendable`: one connection makes it and gives it away; then one task uses it, once.

    private var fold: Fold
    private let dictionary: TimelineDictionary
    private let keptBack: [PersonHash: [TimelineEvent]]

    init(fold: Fold, dictionary: TimelineDictionary, keptBack: [PersonHash: [TimelineEvent]]) {
        self.fold = fold
        self.dictionary = dictionary
        self.keptBack = keptBack
    }

    /// The rows of the report, with what another connection has made of the rest.
    func rows(with other: PackedPart?) throws -> [[ReportCell]] {
        var people = keptBack
        if let other {
            dictionary.catchUp()
            fold.merge(other.fold)
            people.merge(other.keptBack) { $0 + $1 }
        }
        try PackedReader.hand(people) { person in fold.add(person) }
        return try fold.finish()
    }
}
