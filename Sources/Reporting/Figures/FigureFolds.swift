import Timelines

/// One report of many spans, folded in one pass.
protocol FigureFolding: AnyObject {
    var source: FigureSource { get }

    /// Adds a person to the report of a span.
    ///
    /// - Parameter position: the span's position in the batch.
    func add(_ person: borrowing PersonTimeline, toSpan position: Int)

    /// The rows of each span to which a person was added.
    func finish() throws -> [Int: [[ReportCell]]]
}

final class FigureFolds<R: Report>: FigureFolding {
    let source: FigureSource
    private let report: R
    private let runs: [ReportRun]
    /// Folds by the span's position, each created with its first person.
    private var folds: [Int: R.Fold] = [:]

    /// - Parameter runs: the run of each span of the batch.
    init(_ report: R, of source: FigureSource, runs: [ReportRun]) {
        self.report = report
        self.source = source
        self.runs = runs
    }

    func add(_ person: borrowing PersonTimeline, toSpan position: Int) {
        if folds[position] == nil { folds[position] = report.makeFold(runs[position]) }
        folds[position]?.add(person)
    }

    func finish() throws -> [Int: [[ReportCell]]] {
        defer { folds = [:] }
        return try folds.mapValues { try $0.finish() }
    }
}
