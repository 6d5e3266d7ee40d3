import Text

extension EventColumn {
    /// What the export of events selects, in the order of its columns.
    package static let exportList = list(
        of: all.compactMap { column in
            column.exported.map { (expression: $0.expression, name: $0.name) }
        }
    )

    /// What a person's file tells of an event. `properties` and `link_details` are not among them
    /// (sql/people/export_person_events.sql).
    static let toldList = list(
        of: all.filter { $0.kind != .json }.compactMap { column in
            column.told.map { (expression: $0, name: column.name) }
        }
    )

    private static func list(of columns: [(expression: String, name: String)]) -> String {
        columns.map { $0.expression == $0.name ? $0.name : "\($0.expression) as \($0.name)" }.joined(separator: ", ")
    }
}
