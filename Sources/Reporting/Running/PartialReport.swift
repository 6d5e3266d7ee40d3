import Timelines

/// What one connection has counted of the timelines that it read, for each of some requests.
final class PartialReport: @unchecked Sendable {
    // `@unchecked Sendable`: one connection creates it and gives it away. Afterwards one task uses it, once.

    private var folds: [any RequestCounting]
    private var reassigned: PackedReader.Reassigned

    init(folds: [any RequestCounting], reassigned: PackedReader.Reassigned) {
        self.folds = folds
        self.reassigned = reassigned
    }

    /// The rows of each request, from this part and those of the other connections.
    func finish(with others: [PartialReport]) throws -> [CountedRows] {
        if !others.isEmpty { reassigned.dictionary.catchUp() }
        for other in others {
            for index in folds.indices { folds[index].merge(other.folds[index]) }
            // Their memory is free before the rows are made.
            other.folds = []
            other.reassigned.forgetTexts()
        }
        var checks = SizeChecks()
        try reassigned.forEachPerson(with: others.map(\.reassigned)) { person in
            folds.add(person)
            guard checks.areDue(after: person) else { return }
            try folds.check(reassigned.dictionary, groups: folds.heldSize / (1 + others.count))
        }
        try folds.check(reassigned.dictionary, groups: folds.heldSize / (1 + others.count), growing: false)
        return try folds.finish()
    }
}

extension [any RequestCounting] {
    mutating func add(_ person: borrowing PersonTimeline) {
        for index in indices { self[index].add(person) }
    }

    /// How many bytes the groups of all take.
    var heldSize: Int { reduce(0) { $0 + $1.size } }

    /// - Parameters:
    ///   - groups: how many bytes of groups one connection holds.
    ///   - growing: whether people may still come.
    /// - Throws: `ReportError` if it holds more than an answer may take.
    func check(_ dictionary: TimelineDictionary, groups: Int, growing: Bool = true) throws(ReportError) {
        // The largest knows best what to ask for instead.
        let largest = self.max { $0.size < $1.size }
        try largest?.answer.check(dictionary, groups: groups, growing: growing)
    }

    /// The rows of each fold. No other fold may be finished afterwards.
    mutating func finish() throws -> [CountedRows] {
        var rows: [CountedRows] = []
        // Each fold's memory is free before the next one makes its rows.
        while !isEmpty { rows.append(try removeFirst().finish()) }
        return rows
    }
}
