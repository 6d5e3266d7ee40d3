/// What one connection has made of the timelines that it read.
final class PackedPart<Fold: ReportFold>: @unchecked Sendable {
    // Guard of `@unchecked Sendable`: one connection makes it and gives it away; then one task uses it, once.

    private var fold: Fold
    private let dictionary: TimelineDictionary
    private let plan: PackedPlan
    private let keptBack: EncodedEvents

    init(fold: Fold, dictionary: TimelineDictionary, plan: PackedPlan, keptBack: EncodedEvents) {
        self.fold = fold
        self.dictionary = dictionary
        self.plan = plan
        self.keptBack = keptBack
    }

    /// The rows of the report, with what another connection has made of the rest.
    func rows(with other: PackedPart?) throws -> [[ReportCell]] {
        var keptBack = [keptBack]
        if let other {
            dictionary.catchUp()
            fold.merge(other.fold)
            keptBack.append(other.keptBack)
        }
        try PackedReader.hand(keptBack, of: plan, dictionary: dictionary) { person in fold.add(person) }
        return try fold.finish()
    }
}
