import Timelines

/// A report with a row for each period, folded once for all spans from the first to the last.
///
/// For figures of which people count in a period because of what they did in others: each person is read once, and not
/// once for each span. The rows are few and of one group, so no look at memory is needed.
final class PeriodFolds<Fold: ReportFold>: FigureFolding {
    let source: FigureSource
    private var fold: Fold
    /// The positions of spans in the batch, by their first days.
    private let positions: [String: Int]

    /// - Parameter run: over the range of all spans.
    init<R: Report>(_ report: R, of source: FigureSource, run: ReportRun, positions: [String: Int])
    where R.Fold == Fold {
        self.source = source
        self.positions = positions
        fold = report.makeFold(run)
    }

    var size: (groups: Int, cells: Int) { (0, 0) }

    /// - Parameter position: any, because the person is added to the report of all spans.
    func add(_ person: borrowing PersonTimeline, toSpan position: Int) { fold.add(person) }

    /// The rows of those spans in which anybody was active.
    func finish() throws -> [Int: [[ReportCell]]] {
        var rows: [Int: [[ReportCell]]] = [:]
        let day = source.report.rowPeriods?.column ?? 0
        let count = source.columns.firstIndex { $0.name == "active" } ?? 0
        for row in try fold.finish() where row[count] != .integer(0) {
            guard let position = row[day].plainText.flatMap({ positions[$0] }) else { continue }
            rows[position, default: []].append(row)
        }
        return rows
    }
}
