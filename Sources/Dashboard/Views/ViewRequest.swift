import Time
import Reporting
import Storage

/// A request for a view: the app, the days and the parameters.
struct ViewRequest {
    let view: View
    let app: App
    let span: DateSpan
    /// The view's own parameters that were given, in the order of `View.fields`.
    let given: [(name: String, value: String)]
    let source: any DashboardSource
    /// The date in the app's time zone.
    let today: String

    init(
        _ view: View,
        fields: FormFields,
        app: App,
        source: any DashboardSource,
        now: Timestamp
    ) throws(DashboardFailure) {
        self.view = view
        self.app = app
        self.source = source
        span = try DateSpan(fields, timeZone: app.profile.timeZone, now: now)
        today = DateSpan.last(1, timeZone: app.profile.timeZone, now: now).through
        given = view.fields.compactMap { name in fields[name].map { (name, $0) } }
    }

    subscript(field: String) -> String? { given.first { $0.name == field }?.value }

    /// - Parameter own: the report's parameters beside the days.
    func figures(
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        of other: DateSpan? = nil
    ) async throws(DashboardFailure) -> ReportRows {
        let days = (other ?? span).parameters
        return ReportRows(try await source.report(report, parameters: days + own, of: app).table)
    }

    /// The URL of the same figures as CSV.
    func csv(_ report: String, _ own: [(name: String, value: String)] = []) -> String {
        "/csv/\(report).csv?" + FormFields.encode(span.parameters + own)
    }

    /// The URL of a view. Default: with the same days. The parameters stay if the view does.
    func href(_ view: View, span: DateSpan? = nil) -> String {
        let span = span ?? self.span
        let own = view == self.view ? given : []
        return view.path + "?" + FormFields.encode([("from", span.from), ("through", span.through)] + own)
    }
}
