import Reporting

extension ReportAddress {
    /// The page with the people whom a cell counts; nil for a cell that counts none, and for somebody who may not see
    /// people.
    func people(behind column: String, of row: ReportRows.Row) -> String? {
        guard Caller.seesPeople, row.number(column) > 0,
            let asked = ReportCatalogue.people(behind: column, of: report, parameters, row.text)
        else { return nil }
        return PeopleView.path + "?" + FormFields.encode([("report", report)] + asked)
    }
}
