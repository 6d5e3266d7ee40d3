extension ReportCatalogue {
    /// The parameters of the list of those whom a cell of a report counts; nil for a cell that counts no people, and
    /// for a row without a name.
    ///
    /// - Parameters:
    ///   - parameters: those of the report.
    ///   - text: the cells of the row by their columns; empty for a column that is not there.
    package static func people(
        behind column: String,
        of name: String,
        _ parameters: [(name: String, value: String)],
        _ text: (String) -> String
    ) -> [(name: String, value: String)]? {
        let given = Set(parameters.map(\.name))
        guard let report = reports.first(where: { $0.name == name }) as? any PeopleReport.Type,
            given.isDisjoint(with: [ReportParameter.comparePrevious.name, "times"]),
            let asked = report.people(behind: column, text)
        else { return nil }
        let names = report.rowNames(by: parameters.first { $0.name == "by" }?.value).map(text)
        guard !names.contains("") else { return nil }
        let own = asked + [(ReportParameter.peopleGroup.name, names.joined(separator: GroupFinder.separator))]
        // `at` names the period that `periods` counts up to.
        let replaced = Set(own.map(\.name)).union(own.contains { $0.name == "at" } ? ["periods"] : [])
        return parameters.filter { !replaced.contains($0.name) } + own
    }
}
