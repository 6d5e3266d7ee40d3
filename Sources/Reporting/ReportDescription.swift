/// A report as help texts and the API's description show it.
package struct ReportDescription: Sendable {
    package var name: String
    package var summary: String
    /// Its own, beside `ReportParameter.common`.
    package var parameters: [ReportParameter]
    package var columns: [ReportColumn]
}
