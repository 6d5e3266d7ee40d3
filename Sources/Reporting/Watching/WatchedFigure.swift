import Storage

/// The figure of one row in one period.
enum WatchedFigure: Equatable, Codable {
    case count(Double)
    case share(successes: Int64, trials: Int64)
    /// A sum of as many amounts as there are events.
    case sum(Double, events: Double)

    /// On a scale on which chance moves all figures of a row alike.
    var place: Double {
        switch self {
        case .count(let count): CountChange.root(count)
        case .share(let successes, let trials): Proportion(successes: successes, trials: trials).angle
        case .sum(let sum, _): CountChange.root(sum)
        }
    }

    /// The same kind of figure, of nothing.
    var nothing: WatchedFigure {
        switch self {
        case .count: .count(0)
        case .share: .share(successes: 0, trials: 0)
        case .sum: .sum(0, events: 0)
        }
    }

    /// What is counted or summed up; nil for a rate.
    var amount: Double? {
        switch self {
        case .count(let amount), .sum(let amount, _): amount
        case .share: nil
        }
    }

    /// Whether it says anything: a rate of nobody does not.
    var isKnown: Bool {
        if case .share(_, 0) = self { false } else { true }
    }

    var isNothing: Bool {
        switch self {
        case .count(let amount), .sum(let amount, _): amount == 0
        case .share(_, let trials): trials == 0
        }
    }

    /// `612`, `12.34`, `21.0 %`.
    var text: String {
        switch self {
        case .count(let amount), .sum(let amount, _): Self.text(ofCount: amount)
        case .share(_, 0): "no rate"
        case .share(let successes, let trials): Self.percent(Double(successes) / Double(trials))
        }
    }

    static func text(ofCount count: Double) -> String {
        text(of: count * 100, decimals: 2, trimmed: true)
    }

    static func percent(_ rate: Double) -> String { text(of: rate * 1_000, decimals: 1, trimmed: false) + " %" }

    private static func text(of units: Double, decimals: Int, trimmed: Bool) -> String {
        // A double may be larger than any integer.
        guard let units = Int128(exactly: units.rounded()) else { return "\(units)" }
        return ReportCell.decimalText(units, decimals: decimals, trimmed: trimmed)
    }
}

extension ReportColumn {
    /// Whether the column's spread by chance is known: it counts something, sums up what is counted beside it, or is a
    /// share of counts.
    var isWatchable: Bool {
        switch kind {
        case .integer, .decimal:
            !isKey && !isMoving && !["seconds", "code"].contains(unit ?? "") && !name.hasPrefix("cycle_")
                && (summed != nil || !(unit ?? "").hasPrefix(Self.currency))
        case .rate: share != nil
        default: false
        }
    }
}

extension ReportRequest {
    /// - Parameter period: of the watch.
    /// - Throws: `ReportError.usage` if the report has no such figure, or if its rows are no longer the same after a
    ///   period.
    func checkIsWatchable(_ watch: StoredSchedule.Watch, every period: CalendarPeriod) throws(ReportError) {
        if let rows = report.rowPeriods {
            guard hasWatchableRows else {
                throw .invalid("column", "the rows of the question are periods; watch a question without them")
            }
            guard rows.length == period else {
                throw .invalid(
                    "every",
                    "the rows of the question are periods of a \(rows.length.rawValue): watch it every "
                        + "\(rows.length.rawValue), or save it with periods of a \(period.rawValue)"
                )
            }
        }
        guard !listsPeople else { throw .invalid("column", "the question lists people; watch one with figures") }
        guard !isCompared else {
            throw .invalid("column", "the question compares two ranges; watch one without --compare-previous")
        }
        let names = watchableColumns
        guard names.contains(watch.column) else {
            throw .unknown("column to watch", watch.column, field: "column", allowed: names)
        }
    }

    /// The columns that can be watched, if the watch has the period of the rows.
    var watchableColumns: [String] {
        hasWatchableRows && !isCompared && !listsPeople ? report.columns.filter(\.isWatchable).map(\.name) : []
    }

    private var isCompared: Bool { previous != nil }

    /// Whether the rows are the same after a period, but for a column that says which period it is.
    private var hasWatchableRows: Bool {
        report.rowPeriods.map { report.columns[$0.column].isCalendar && $0.laterBy == nil } ?? true
    }
}

extension ReportTable {
    /// Between the names of a row.
    static let watchedSeparator = " · "

    /// The watched figures by the names of their rows.
    ///
    /// - Parameter row: the name of a row, or one of several names that rows have; nil: all rows.
    func watched(_ column: String, row: String?) -> [String: WatchedFigure] {
        guard let position = columns.firstIndex(where: { $0.name == column }) else { return [:] }
        let keys = columns.indices.filter { position in
            let column = columns[position]
            return column.isKey && !column.isCalendar && column.name != ReportColumn.complete.name
        }
        var figures: [String: WatchedFigure] = [:]
        for cells in rows {
            let names = keys.map { cells[$0].plainText ?? "" }.filter { !$0.isEmpty }
            let name = names.joined(separator: Self.watchedSeparator)
            guard row == nil || row == name || names.contains(row ?? "") else { continue }
            figures[name] = figure(cells, position)
        }
        return figures
    }

    private func figure(_ cells: [ReportCell], _ position: Int) -> WatchedFigure? {
        func integer(_ name: String, in cells: [ReportCell]) -> Int64 {
            guard let position = columns.firstIndex(where: { $0.name == name }),
                case .integer(let value) = cells[position]
            else { return 0 }
            return value
        }
        switch (cells[position], columns[position].share) {
        case (_, .ofColumns(let part, let whole)?):
            return .share(
                successes: integer(part, in: cells),
                trials: whole.reduce(0) { $0 + integer($1, in: cells) }
            )
        case (_, .ofStep(let part, let isFirst)?):
            let step = integer("step", in: cells)
            // The share of the first step is 1 by definition.
            guard step > 1, let group = columns.firstIndex(where: { $0.name == "group" }) else { return nil }
            let base = rows.first { $0[group] == cells[group] && integer("step", in: $0) == (isFirst ? 1 : step - 1) }
            return base.map { .share(successes: integer(part, in: cells), trials: integer(part, in: $0)) }
        case (.decimal(let millionths), nil) where columns[position].summed != nil:
            let events = columns.firstIndex { $0.name == columns[position].summed }.flatMap { cells[$0].measure }
            return .sum(Double(millionths) / 1_000_000, events: events ?? 0)
        case (.integer(let value), nil): return .count(Double(value))
        case (.decimal(let millionths), nil): return .count(Double(millionths) / 1_000_000)
        default: return nil
        }
    }
}
