import Time
import Timelines

/// The folds of a request, whatever its report is.
protocol RequestCounting {
    mutating func add(_ person: borrowing PersonTimeline)

    /// Adds the counters of another fold of the same request. No person may have been added to both.
    mutating func merge(_ other: any RequestCounting)

    /// How many bytes the groups of the folds take.
    var size: Int { get }
    var answer: AnswerSize { get }

    /// - Throws: `TimelineError` if a fold's temporary file cannot be read; `ReportError` if the rows are too many.
    consuming func finish() throws -> CountedRows
}

extension ReportRequest {
    func makeFold(_ dictionary: TimelineDictionary) -> any RequestCounting { makeFold(report, dictionary) }

    private func makeFold<R: Report>(_ report: R, _ dictionary: TimelineDictionary) -> any RequestCounting {
        guard !conditions.isEmpty else { return RequestFold(self, dictionary) { run, _ in report.makeFold(run) } }
        return RequestFold(self, dictionary) { run, ends in
            FilteredFold(report.makeFold(run), PeopleMatcher(conditions, dictionary, until: ends))
        }
    }
}

/// Counts the range of a request and, if their rows are joined, the preceding one, in one pass.
///
/// Generic over the fold and not over the report, so that adding a person looks up no type: that took 3 % of the
/// overview.
struct RequestFold<Fold: ReportFold>: RequestCounting {
    private var current: Fold
    private var previous: Fold?
    let answer: AnswerSize

    /// - Parameter makeFold: gets the ends of the ranges that the fold is about, too.
    init(_ request: ReportRequest, _ dictionary: TimelineDictionary, makeFold: (ReportRun, [Timestamp]) -> Fold) {
        let run = request.run(dictionary: dictionary)
        answer = run.size
        let beside = request.countedRanges.dropFirst().first
        let ends = request.ends
        current = makeFold(run, beside == nil ? ends : Array(ends.prefix(1)))
        previous = beside.map { beside in
            makeFold(run.before(beside.range), Array(ends.dropFirst()))
        }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        current.add(person)
        previous?.add(person)
    }

    var size: Int { current.size + (previous?.size ?? 0) }

    mutating func merge(_ other: any RequestCounting) {
        guard let other = other as? RequestFold else { preconditionFailure("A fold of another report") }
        current.merge(other.current)
        if let earlier = other.previous { previous?.merge(earlier) }
    }

    consuming func finish() throws -> CountedRows {
        let others = (current.otherCurrencies + (previous?.otherCurrencies ?? [])).map(\.amounts)
        try answer.check(rows: max(current.rowCount, previous?.rowCount ?? 0))
        let rows = try current.finish()
        let earlier = try previous.map { fold in
            guard let limited = fold as? any LimitedFold else { return try fold.finish() }
            return try limited.finish(beside: rows)
        }
        return CountedRows(rows: rows, previous: earlier, otherCurrencies: others)
    }
}

/// What the folds of a request counted.
struct CountedRows: Sendable {
    var rows: [[ReportCell]]
    /// Those of the preceding range; nil if they are not asked for, or cannot be compared with.
    var previous: [[ReportCell]]?
    /// For each range, what no `value` contains.
    var otherCurrencies: [[OtherCurrencies.Amount]]
}
