import Reporting

/// Where the cells of a column lead: this view with one more filter, or a shorter period.
struct Drill {
    var column: String
    /// Nil for a row that leads nowhere.
    var href: (ReportRows.Row) -> String?
}

extension ViewRequest {
    /// The keys that are times.
    static let periods: Set = ["day", "week", "month"]

    /// The key of the view, if that is a time.
    var periodKey: String? { self["by"].flatMap { Self.periods.contains($0) ? $0 : nil } }

    /// Into the value of a key.
    ///
    /// - Parameter column: where the value is. Default: the column with the name of the key.
    func drill(_ key: String, in column: String? = nil) -> Drill {
        let column = column ?? key
        guard !Self.periods.contains(key) else { return drillDays(in: column, of: key) }
        guard filterKeys.contains(key) else { return Drill(column: column) { _ in nil } }
        return Drill(column: column) { row in
            let value = row.text(column)
            guard !value.isEmpty, !["total", "direct", "(others)"].contains(value), !filters.contains(key, value) else {
                return nil
            }
            return href(filters: filters.adding(key, value))
        }
    }

    /// Into the values of all of these keys that the view can be filtered by.
    func drill(all keys: [String]) -> Drill {
        let known = keys.filter(filterKeys.contains)
        return Drill(column: "") { row in
            known.isEmpty ? nil : href(filters: known.reduce(filters) { $0.adding($1, row.text($1)) })
        }
    }

    /// Into the days of a period.
    ///
    /// - Parameter period: `day`, `week` or `month`.
    func drillDays(in column: String = "period", of period: String) -> Drill {
        Drill(column: column) { row in
            guard let days = span.narrowed(toPeriod: period, from: row.text(column), timeZone: timeZone) else {
                return nil
            }
            return days == span ? nil : href(span: days)
        }
    }
}
