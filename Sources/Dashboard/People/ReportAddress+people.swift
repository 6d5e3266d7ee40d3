import Reporting

extension ReportAddress {
    /// The page with the people whom a cell counts; nil for a cell that counts none.
    func people(behind column: String, of row: ReportRows.Row) -> String? {
        guard row.number(column) > 0,
            let asked = ReportCatalogue.people(behind: column, of: report, parameters, row.text)
        else { return nil }
        return PeopleView.path + "?" + FormFields.encode([("report", report)] + asked)
    }
}
