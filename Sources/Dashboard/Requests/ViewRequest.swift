import InboundLinks
import Reporting
import Storage
import Text
import Time

/// A request for a view: the app, the days and the parameters.
struct ViewRequest {
    let view: View
    let app: App
    let span: DateSpan
    /// The view's own parameters that were given, in the order of `View.fields`.
    let given: [(name: String, value: String)]
    let source: any DashboardSource
    let now: Timestamp
    /// The date in the app's time zone.
    let today: String

    /// The fields of the URL that all views have.
    private static let shared = ["from", "through"]

    /// - Parameter others: fields of the URL that only one page of the view has.
    /// - Throws: `DashboardFailure.invalid` for a field that the view does not have, so that no misspelt one is taken
    ///   for the default.
    init(
        _ view: View,
        fields: FormFields,
        others: [String] = [],
        app: App,
        source: any DashboardSource,
        now: Timestamp
    ) throws(DashboardFailure) {
        let known = Self.shared + view.fields + others
        for field in fields.fields where !known.contains(field.name) {
            let hint = closestName(to: field.name, among: known).map { "Did you mean ‘\($0)’?" }
            throw .invalid(
                "This page has no parameter ‘\(Redaction.redact(field.name))’. "
                    + (hint ?? "It has: \(known.joined(separator: ", ")).")
            )
        }
        self.view = view
        self.app = app
        self.source = source
        self.now = now
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

    var timeZone: String { app.profile.timeZone }

    /// The range before these days, as long as they are.
    var before: DateSpan? { span.previous(timeZone: timeZone, now: now) }

    /// The names in the first column of a report over these days, without those that stand for no name.
    ///
    /// - Parameter column: the largest first.
    func names(_ report: String, by column: String) async throws(DashboardFailure) -> [String] {
        let figures = try await figures(report)
        guard let name = figures.columns.first?.name else { return [] }
        return figures.rows.filter { !ReportRows.standsForNoName($0.text(name)) && $0.number(column) > 0 }
            .sorted { $0.number(column) > $1.number(column) }
            .map { $0.text(name) }
    }

    /// The names of the app's conversions, the most frequent first.
    func goals() async throws(DashboardFailure) -> [String] {
        guard ReportCatalogue.names.contains("goals") else { return [] }
        return try await names("goals", by: "conversions")
    }

    /// The fields of the URL that every view keeps.
    var shared: [(name: String, value: String)] { shared(span) }

    private func shared(_ span: DateSpan) -> [(name: String, value: String)] {
        [("from", span.from), ("through", span.through)]
    }

    /// The URL of the same figures as CSV.
    func csv(_ report: String, _ own: [(name: String, value: String)] = [], of other: DateSpan? = nil) -> String {
        "/csv/\(report).csv?" + FormFields.encode((other ?? span).parameters + own)
    }

    /// The URL of a view with the same days. The parameters stay if the view does.
    func href(_ view: View) -> String {
        href(view, view == self.view ? given : [])
    }

    func href(_ view: View, _ own: [(name: String, value: String)]) -> String {
        view.path + "?" + FormFields.encode(shared + own)
    }

    /// The address with the steps of a funnel as one parameter, if a form has sent them one by one.
    var tidyAddress: String? {
        StepChoices.joined(given).map { href(view, $0) }
    }
}
