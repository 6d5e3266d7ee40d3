/// A report as described in help texts and in the API.
package struct ReportDescription: Sendable {
    package var name: String
    package var summary: String
    /// The report's own parameters, beside `ReportParameter.common`.
    package var parameters: [ReportParameter]
    /// All columns that the report can have, in order. Those that depend on a parameter have a `condition`.
    package var columns: [ReportColumn]
    /// The columns that `--compare-previous` adds; empty for reports that compare themselves.
    var previousColumns: [ReportColumn] = []
    /// Why the report cannot be about some people alone; nil if it can.
    package var reasonAgainstPeople: String?
    /// What follows its name in commands that are worth copying.
    package var examples: [String]
}
