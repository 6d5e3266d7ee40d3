/// A report as help texts and the API's description show it.
package struct ReportDescription: Sendable {
    package var name: String
    package var summary: String
    /// Its own, beside `ReportParameter.common`.
    package var parameters: [ReportParameter]
    /// Every one that it can have, in order; those that a parameter adds have a `condition`.
    package var columns: [ReportColumn]
}
