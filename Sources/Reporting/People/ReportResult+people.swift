/// Ids of people in reports that are no lists of people. Not everybody may see them.
extension ReportResult {
    /// The columns with such ids. As keys, their values are ids too.
    package static let peopleColumns: Set = ["poster", "poster_kind"]

    /// The report without the ids of people, also in its warnings.
    package var withoutPeople: ReportResult {
        var result = self
        result.warnings = warnings.map { $0.isOfPeople ? $0.withoutNames : $0 }
        let kept = table.columns.indices.filter { !Self.peopleColumns.contains(table.columns[$0].name) }
        result.table.columns = kept.map { table.columns[$0] }
        result.table.rows = table.rows.map { row in kept.map { row[$0] } }
        return result
    }
}
