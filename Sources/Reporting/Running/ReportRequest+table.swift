import Time
import Timelines

/// From what was counted to the table of a request.
extension ReportRequest {
    /// The preceding range, if its rows are joined with those of the range.
    var besideRange: ReportRange? { type(of: report).comparesItself ? nil : previous }

    /// The ranges whose rows are counted, the request's own first.
    var countedRanges: [AppRange] {
        let beside = besideRange == nil ? nil : comparedRange
        return ([counted] + [beside].compactMap(\.self)).map { AppRange(app: app, range: $0, zone: zone) }
    }

    /// The columns of the report, then its figures in the preceding range.
    var columns: [ReportColumn] {
        ownColumns + (besideRange == nil ? [] : RowMatching.previousColumns(of: ownColumns))
    }

    /// The report over any source of timelines.
    func table(over source: some TimelineSource) throws -> ReportTable {
        var fold = makeFold(source.dictionary)
        try source.forEachPerson { person in fold.add(person) }
        return table(of: try fold.finish())
    }

    /// The table of what was counted.
    func table(of counted: CountedRows) -> ReportTable {
        var rows = costed(counted.rows, in: self.counted)
        if besideRange != nil, counted.previous == nil {
            let empty = [ReportCell](repeating: .empty, count: columns.count - ownColumns.count)
            for index in rows.indices { rows[index] += empty }
        }
        if let earlier = counted.previous, let besideRange {
            let periods = report.rowPeriods
            rows = RowMatching(ownColumns, periods, of: self.counted, beside: besideRange, in: zone)
                .joined(rows, costed(earlier, in: besideRange))
        }
        return withCompleteness(
            ReportTable(columns: columns, rows: rows, otherCurrencies: counted.otherCurrencies)
        )
    }

    /// The table with the column `complete`, if the rows are about periods. With the preceding range beside it, a row
    /// is complete if both of its periods are. A later period that has not begun has no figures, in either range, and
    /// none that compares them.
    private func withCompleteness(_ table: ReportTable) -> ReportTable {
        guard let periods = report.rowPeriods, let column = type(of: report).completeColumn else { return table }
        var earlier = periods
        let name = "previous_\(table.columns[periods.column].name)"
        let previousColumn = table.columns.firstIndex { $0.name == name }
        if let previousColumn { earlier.column = previousColumn }
        let unknown = report.columns.dropFirst((periods.lastKnown ?? -1) + 1).filter { !$0.isKey }
        let columns = table.columns
        func positions(of names: [String]) -> [Int] { columns.indices.filter { names.contains(columns[$0].name) } }
        let changes = positions(of: unknown.flatMap(ChangeColumns.columns).map(\.name))
        let figures = positions(of: unknown.map(\.name))
        let earlierFigures = positions(of: unknown.map { "previous_\($0.name)" })
        var table = table
        table.columns.append(column)
        // Row by row, so that there are never two tables.
        for index in table.rows.indices {
            var row = table.rows[index]
            var states = [periods.isComplete(row, in: counted, at: now, zone)]
            if let previous, previousColumn != nil {
                states.append(earlier.isComplete(row, in: previous, at: now, zone))
            } else if let previous = comparedRange {
                states.append(periods.isComplete(row, in: previous, datedLike: counted, at: now, zone))
            }
            let known = states.compactMap(\.self)
            // Both are asked before the row is changed.
            let isToCome = periods.hasNotBegun(row, at: now, zone)
            let wasToCome = previousColumn != nil && earlier.hasNotBegun(row, at: now, zone)
            if isToCome { for figure in figures { row[figure] = .empty } }
            if wasToCome { for figure in earlierFigures { row[figure] = .empty } }
            if isToCome || wasToCome { for change in changes { row[change] = .empty } }
            table.rows[index] = row + [known.isEmpty ? .empty : .flag(known.allSatisfy(\.self))]
        }
        return table
    }
}
