/// How much a figure has changed since the preceding range: in its own unit, and as a share of what it was.
enum ChangeColumns {
    /// The columns beside `previous_NAME`; none for what is no number, such as `first_at` of goals.
    static func columns(of column: ReportColumn) -> [ReportColumn] {
        guard isTold(of: column) else { return [] }
        var change = column
        change.name = "change_\(column.name)"
        change.meaning = "`\(column.name)` − `previous_\(column.name)`."
        let share = ReportColumn.rate(
            "change_share_\(column.name)",
            "`change_\(column.name)` ÷ `previous_\(column.name)`; empty unless that is above 0."
        )
        return [change, share]
    }

    /// The end of an interval says nothing by its change.
    private static func isTold(of column: ReportColumn) -> Bool {
        !column.isKey && column.unit != nil && column.kind != .probability
            && !column.name.hasSuffix("ci_low") && !column.name.hasSuffix("ci_high")
    }

    /// The cells of these columns; empty where one of the two figures is unknown.
    static func cells(of column: ReportColumn, _ figure: ReportCell, since earlier: ReportCell) -> [ReportCell] {
        guard isTold(of: column) else { return [] }
        guard let now = figure.millionths, let then = earlier.millionths else { return [.empty, .empty] }
        let change = now - then
        let cell: ReportCell =
            switch figure {
            case .integer: .integer(Int64(clamping: change / 1_000_000))
            case .decimal: .decimal(millionths: change)
            default: .fraction(millionths: Int64(clamping: change))
            }
        // A share of what is below 0 would have the sign of the opposite.
        return [cell, then > 0 ? .fraction(change, of: then) : .empty]
    }
}

extension ReportCell {
    /// Nil for what is no number, and for p-values.
    fileprivate var millionths: Int128? {
        switch self {
        case .integer(let number): Int128(number) * 1_000_000
        case .decimal(let millionths): millionths
        case .fraction(let millionths): Int128(millionths)
        case .text, .probability, .flag, .empty: nil
        }
    }
}

extension ReportColumn {
    /// Whether the column is the difference of two figures, or a part of it, and no share.
    package var isDifference: Bool {
        name.hasPrefix("change_") && !name.hasPrefix("change_share_")
            || ["change", "rate_effect", "mix_effect"].contains(name)
    }
}
