import Storage

/// Events as they were stored: redacted, including test traffic. An incremental export contains each of them once, and
/// once more whenever its link is read differently (`tributary reread`).
struct EventsExport: Export {
    static let name = "events"
    static let summary = "Every event as it was stored, with what was read from its link. Test traffic too."
    static let examples = ["--from 7d --output events.csv", "--from yesterday --to today --format ndjson"]
    static let parameters: [ReportParameter] = []

    static let columns: [ReportColumn] = EventColumn.all.compactMap(ReportColumn.init)
    /// Selects them.
    static let statement = ReportSQL.events.replacing(":event_columns", with: EventColumn.exportList)

    init(reading parameters: inout ParameterReader) throws(ReportError) {}
}

extension ReportColumn {
    /// The column of the export that a column of the table is; nil if the export does not have it.
    fileprivate init?(_ column: EventColumn) {
        guard let exported = column.exported else { return nil }
        let (name, unit, meaning) = (exported.name, exported.unit ?? "", exported.meaning)
        switch column.kind {
        case .text, .label: self = .text(name, meaning)
        case .list: self = .list(name, meaning)
        case .flag: self = .flag(name, meaning)
        case .time: self = .time(name, meaning)
        case .integer, .smallInteger: self = .integer(name, unit: unit, meaning)
        case .decimal: self = .decimal(name, unit: unit, meaning)
        case .uuid: self = .uuid(name, meaning)
        case .json: self = .json(name, meaning)
        }
    }
}
