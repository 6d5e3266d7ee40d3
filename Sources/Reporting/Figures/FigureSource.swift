import Storage

/// A report whose rows are kept as figures.
struct FigureSource: Sendable {
    /// Which rows of a report are totals.
    enum Totals: Sendable {
        /// This many rows at the end.
        case last(Int)
        /// The last row of each value of a column.
        case lastOfEach(column: String)
    }

    let table: FigureTable
    let report: any Report
    /// The values of the table's discriminators.
    let discriminators: [String]
    /// The positions of the table's columns in the report; nil for those that it has only with other parameters.
    let positions: [Int?]
    let columns: [ReportColumn]
    let totals: Totals

    /// - Parameters:
    ///   - properties: the declared properties of the app.
    ///   - key: what the report calls the column that the table calls `group`.
    /// - Throws: `ReportError` if the report does not take the parameters, or lacks a column of the table.
    init<R: Report>(
        _ table: FigureTable,
        _ type: R.Type,
        _ parameters: KeyValuePairs<String, String> = [:],
        properties: [AppProperty] = [],
        key: String = "group",
        discriminators: [String] = [],
        totals: Totals = .last(1)
    ) throws(ReportError) {
        var reader = try ParameterReader(
            parameters.map { (name: $0.key, value: $0.value) },
            report: type.name,
            allowed: type.parameters,
            properties: properties
        )
        let report = try type.init(reading: &reader)
        self.report = report
        self.table = table
        self.discriminators = discriminators
        self.totals = totals
        columns = report.columns
        var positions: [Int?] = []
        for column in table.columns {
            let reported = column.reported == "group" ? key : column.reported
            let position = report.columns.firstIndex { $0.name == reported }
            guard position != nil || type.allColumns.contains(where: { $0.name == reported }) else {
                throw .unknown("column of \(type.name)", reported, allowed: report.columns.map(\.name))
            }
            positions.append(position)
        }
        self.positions = positions
    }

    /// Whether each row of the report is a total.
    func areTotals(_ rows: [[ReportCell]]) -> [Bool] {
        switch totals {
        case .last(let count):
            return rows.indices.map { $0 >= rows.count - count }
        case .lastOfEach(let name):
            guard let column = columns.firstIndex(where: { $0.name == name }) else { return rows.map { _ in false } }
            return rows.indices.map { $0 == rows.count - 1 || rows[$0][column] != rows[$0 + 1][column] }
        }
    }
}
