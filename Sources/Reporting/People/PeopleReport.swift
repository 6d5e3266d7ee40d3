import Postgres

/// A report that can list the people behind its figures.
protocol PeopleReport: Report where Fold: PeopleFold {
    /// The columns that name a row.
    ///
    /// - Parameter grouping: the value of `--by`; nil without.
    static func rowNames(by grouping: String?) -> [String]

    /// What `--people` asks for to list those whom a cell of a row counts; nil for a cell that counts no people.
    ///
    /// - Parameter text: the cells of the row by their columns.
    static func people(behind column: String, _ text: (String) -> String) -> [(name: String, value: String)]?

    /// - Throws: `ReportError.usage` for a name that is unknown, or that this request has no figure for.
    func peopleFigure(named name: String) throws(ReportError) -> PeopleFigure

    /// The rows with the names that the report shows, where the fold cannot know them.
    func named(
        _ rows: [PeopleRow],
        of range: AppRange,
        on connection: isolated PostgresConnection
    ) throws -> [PeopleRow]
}

extension PeopleReport {
    static func people(behind column: String, _ text: (String) -> String) -> [(name: String, value: String)]? {
        // A touch is no person.
        guard column != "touches" else { return nil }
        let figure = column == "people" ? "touches" : column
        return peopleFigures.contains(figure) ? [("people", figure)] : nil
    }

    func peopleFigure(named name: String) throws(ReportError) -> PeopleFigure {
        guard Self.peopleFigures.contains(name), let figure = PeopleFigure(name: name) else {
            throw .unknown("figure", name, field: "people", allowed: Self.peopleFigures)
        }
        return figure
    }

    func named(
        _ rows: [PeopleRow],
        of range: AppRange,
        on connection: isolated PostgresConnection
    ) throws -> [PeopleRow] {
        rows
    }
}

extension PeopleReport where Self: PeriodReport {
    static func rowNames(by grouping: String?) -> [String] {
        (grouping ?? "none") == "none" ? [columns[0].name] : [PeriodParameter.column.name, columns[0].name]
    }
}
