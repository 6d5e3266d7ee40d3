/// All reports.
package enum ReportCatalogue {
    static let reports: [any Report.Type] = [
        ChannelsReport.self,
        RefsReport.self,
        FunnelReport.self,
        InstallsReport.self,
        AttributionReport.self,
        PostsReport.self,
        RetentionReport.self,
        ActivityReport.self,
        PathsReport.self,
        CompareReport.self,
        ChangesReport.self,
        OverlapReport.self,
        ViralReport.self,
        GenerationsReport.self,
        LinksReport.self,
        BreakdownReport.self,
        GoalsReport.self,
        LoginsReport.self,
    ]

    package static var names: [String] { reports.map { $0.name } }

    /// For help texts and the API's description, in the order of docs/reports.md.
    package static var descriptions: [ReportDescription] {
        reports.map {
            ReportDescription(
                name: $0.name,
                summary: $0.summary,
                parameters: $0.ownParameters,
                columns: $0.allColumns + ($0.completeColumn.map { [$0] } ?? []),
                previousColumns: $0.comparesItself ? [] : RowMatching.previousColumns(of: $0.allColumns),
                reasonAgainstPeople: $0.reasonAgainstPeople,
                examples: $0.examples
            )
        }
    }

    /// Checks a report's name before a database is opened.
    ///
    /// - Throws: `ReportError.usage` for an unknown name.
    package static func check(_ name: String) throws(ReportError) {
        _ = try report(named: name)
    }

    /// - Throws: `ReportError.usage` for an unknown name.
    static func report(named name: String) throws(ReportError) -> any Report.Type {
        guard let report = reports.first(where: { $0.name == name }) else {
            throw .unknown("report", name, allowed: names)
        }
        return report
    }
}
