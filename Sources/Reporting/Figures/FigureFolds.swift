import Timelines

/// One report of many spans, folded in one pass.
protocol FigureFolding: AnyObject {
    var source: FigureSource { get }
    /// How many bytes the groups of the folds take, and how many cells their rows will have.
    var size: (groups: Int, cells: Int) { get }

    /// Adds a person to the report of a span.
    ///
    /// - Parameter position: the span's position in the batch.
    func add(_ person: borrowing PersonTimeline, toSpan position: Int)

    /// The rows of each span to which a person was added. Call it once, after the last person.
    func finish() throws -> [Int: [[ReportCell]]]
}

/// Generic over the fold and not over the report, so that adding a person looks up no type.
final class FigureFolds<Fold: ReportFold>: FigureFolding {
    let source: FigureSource
    private let makeFold: (ReportRun) -> Fold
    private let runs: [ReportRun]
    /// Each created with the first person of its span.
    private var folds: [Fold] = []
    /// The position in `folds` of each span's fold; −1: the span has none. A fold in an array is changed in its place;
    /// in a dictionary, it would be copied for each person.
    private var places: [Int]

    /// - Parameter runs: the run of each span of the batch.
    init<R: Report>(_ report: R, of source: FigureSource, runs: [ReportRun]) where R.Fold == Fold {
        self.source = source
        self.runs = runs
        makeFold = report.makeFold
        places = Array(repeating: -1, count: runs.count)
    }

    func add(_ person: borrowing PersonTimeline, toSpan position: Int) {
        if places[position] < 0 {
            places[position] = folds.count
            folds.append(makeFold(runs[position]))
        }
        folds[places[position]].add(person)
    }

    var size: (groups: Int, cells: Int) {
        // By position, because a loop over the folds copies each.
        folds.indices.reduce(into: (0, 0)) { size, fold in
            size = (size.0 + folds[fold].size, size.1 + folds[fold].rowCount * source.positions.count)
        }
    }

    func finish() throws -> [Int: [[ReportCell]]] {
        var rows: [Int: [[ReportCell]]] = [:]
        for (position, place) in places.enumerated() where place >= 0 { rows[position] = try folds[place].finish() }
        return rows
    }
}
