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
    /// The conditions in the URL.
    let filters: Filters
    /// The form that adds a condition, as far as it is filled in.
    private let added: FormFields
    /// The view's own parameters that were given, in the order of `View.fields`.
    let given: [(name: String, value: String)]
    let source: any DashboardSource
    let stores: DashboardStores
    /// Where programs reach the daemon; nil if that is not known.
    var origin: String?
    /// What happened on the days, for charts.
    var noted: [Note] = []
    /// Of the reports that the page has asked for so far.
    let warnings = Warnings()
    private let read = ReadReports()
    let now: Timestamp
    /// The date in the app's time zone.
    let today: String
    /// Whether the days are those that the view has by itself. They stay behind on the way to another view.
    private let hasUsualDays: Bool

    /// The fields of the URL that all views have.
    private static let shared = ["from", "through"] + Filters.names

    /// - Parameter others: fields of the URL that only one page of the view has; nil: any.
    /// - Throws: `DashboardFailure.invalid` for a field that the view does not have, so that no misspelt one is taken
    ///   for the default.
    init(
        _ view: View,
        fields: FormFields,
        others: [String]? = [],
        app: App,
        source: any DashboardSource,
        stores: DashboardStores,
        now: Timestamp
    ) throws(DashboardFailure) {
        // Pages show the fields again, in forms and links.
        let fields = fields.redacted
        let known = Self.shared + (view.reports.isEmpty ? [] : Filters.formFields) + view.fields + (others ?? [])
        for field in fields.fields where others != nil && !known.contains(field.name) {
            let named = known.filter { !JoinedFields.contains($0) }
            let hint = closestName(to: field.name, among: named).map { "Did you mean ‘\($0)’?" }
            throw .invalid(
                "This page has no parameter ‘\(Redaction.redact(field.name))’. "
                    + (hint ?? "It has: \(named.joined(separator: ", ")).")
            )
        }
        self.view = view
        self.app = app
        self.source = source
        self.stores = stores
        self.now = now
        let (zone, weeks) = (app.profile.timeZone, view.usualWeeks)
        span = try DateSpan(fields, timeZone: zone, now: now, weeks: weeks)
        hasUsualDays = try span == DateSpan(FormFields(), timeZone: zone, now: now, weeks: weeks)
        today = DateSpan.last(1, timeZone: app.profile.timeZone, now: now).through
        filters = Filters(fields, of: app)
        added = fields
        given = view.fields.compactMap { name in fields[name].map { (name, $0) } }
    }

    subscript(field: String) -> String? { given.first { $0.name == field }?.value }

    /// Whether a switch is on, by any of its words.
    ///
    /// - Parameter isUsuallyOn: without the field.
    func isOn(_ field: String, usually isUsuallyOn: Bool = false) throws(DashboardFailure) -> Bool {
        guard let word = self[field] else { return isUsuallyOn }
        guard let isOn = SwitchWord.meanings[word] else { throw .invalid("‘\(field)’ must be one of: on, off.") }
        return isOn
    }

    /// One of the words that a field of the page can have; without the field, the first one.
    func choice(_ field: String, among words: [String]) throws(DashboardFailure) -> String {
        let word = self[field] ?? words.first ?? ""
        guard words.contains(word) else {
            throw .invalid("‘\(field)’ must be one of: \(words.joined(separator: ", ")).")
        }
        return word
    }

    /// - Parameters:
    ///   - own: the report's parameters beside the days.
    ///   - other: other days, beside which the view shows its own.
    ///   - areMain: as in ``rows(_:_:areMain:)``; nil: unless they are of other days.
    ///   - limit: how many groups a report shows that otherwise shows all.
    /// - Returns: no rows if the report cannot mean all conditions of the view.
    func figures(
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        of other: DateSpan? = nil,
        areMain: Bool? = nil,
        limit: Int = Self.limit
    ) async throws(DashboardFailure) -> ReportRows {
        if let unmet = Unmet(filters, by: report) {
            var none = ReportRows(columns: ReportCatalogue.columns(of: report), rows: [])
            none.unmet = unmet
            return none
        }
        let asked = Self.limited(address(report, own, of: other), to: limit)
        let figures = try await rows(report, asked.parameters, areMain: areMain ?? (other == nil))
        // A ref is a property of touches and of posts; other conditions may be of touches alone. `viral` counts posts.
        guard report == "refs", let unmet = Unmet(filters, by: "viral") else { return figures }
        return figures.emptied(ReportCatalogue.columnsOfPosts, unmet)
    }

    /// The same for a page that has more than this report.
    ///
    /// - Returns: no rows if the report cannot mean all conditions of the view, or is refused.
    func figuresUnlessRefused(
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        of other: DateSpan? = nil,
        areMain: Bool = true
    ) async throws(DashboardFailure) -> ReportRows {
        do throws(DashboardFailure) {
            return try await figures(report, own, of: other, areMain: areMain)
        } catch {
            guard case .invalid(let reason) = error else { throw error }
            var none = ReportRows(columns: ReportCatalogue.columns(of: report), rows: [])
            none.unmet = Unmet(refusal: reason)
            return none
        }
    }

    /// The most groups that a report takes.
    private static let limit = 10_000

    /// What a page asks for in place of a report that shows every row without a limit. Anyone can send refs with a key
    /// for apps, and an answer with too many rows is refused.
    private static func limited(_ address: ReportAddress, to limit: Int = Self.limit) -> ReportAddress {
        guard ReportCatalogue.showsAllGroups(in: address) else { return address }
        var limited = address
        limited.parameters.append(("limit", String(limit)))
        return limited
    }

    /// - Parameters:
    ///   - parameters: all of them.
    ///   - areMain: whether the page's warnings are about these figures. Those of other days, or for the choices of a
    ///     form, would only repeat them, or tell other sums.
    func rows(
        _ report: String,
        _ parameters: [(name: String, value: String)],
        areMain: Bool = true
    ) async throws(DashboardFailure) -> ReportRows {
        if let refusal = People.refusal(of: parameters) { throw refusal }
        let address = ReportAddress(report: report, parameters: parameters)
        var result: ReportResult
        if let known = read[address] {
            result = known
        } else {
            result = try await source.report(report, parameters: parameters, of: app)
        }
        result = People.hidden(in: result)
        if areMain { warnings.add(result.warnings) }
        return ReportRows(result)
    }

    /// Reads reports in one pass over the events. ``figures(_:_:of:)`` and ``rows(_:_:areMain:)`` then have them.
    ///
    /// - Parameter reports: as `figures` gets them. Those that cannot mean all conditions of the view, or whose rows
    /// are people whom the one who asks may not see, are left out. If one is refused, or all together are, none is
    /// read:   each is asked for when it is needed.
    func readTogether(_ reports: [ReportAddress]) async throws(DashboardFailure) {
        let asked = reports.filter { Unmet(filters, by: $0.report) == nil && People.refusal(of: $0.parameters) == nil }
            .map { Self.limited($0) }
        guard !asked.isEmpty else { return }
        let results: [ReportResult]
        do throws(DashboardFailure) {
            results = try await source.results(of: asked.map { ($0.report, $0.parameters) }, in: app)
        } catch {
            guard case .invalid = error else { throw error }
            return
        }
        for (address, result) in zip(asked, results) { read[address] = result }
    }

    /// The parameters in the URL that are the report's, and not only the page's.
    var own: [(name: String, value: String)] { given.filter { !view.pageFields.contains($0.name) } }

    private func parameters(
        _ report: String,
        _ own: [(name: String, value: String)],
        of span: DateSpan
    ) -> [(name: String, value: String)] {
        span.parameters + own + filters.limited(to: report).parameters
    }

    /// Whether figures of the view can be of some people alone.
    var takesPeople: Bool { view.reports.contains { Filters.reasonAgainstPeople(of: $0) == nil } }

    /// What the view can be filtered by.
    var filterKeys: [String] { People.hidden(in: view.reports.lazy.map(filters.keys).first { !$0.isEmpty } ?? []) }

    /// The values that a form offers for a parameter of a report.
    func choices(_ name: String, of report: String, goals: [String] = []) -> [String] {
        People.hidden(in: ReportCatalogue.choices(name, of: report, in: app, goals: goals))
    }

    var timeZone: String { app.profile.timeZone }

    /// The range before these days, as long as they are.
    var before: DateSpan? { span.previous(timeZone: timeZone, now: now) }

    /// These days, and of today as much as there is. A report compares them with the range before up to the same hour.
    var spanUpToNow: DateSpan {
        var span = span
        if span.through == today { span.end = "now" }
        return span
    }

    /// The names in the first column of a report over these days, without those that stand for no name. They are what a
    /// form offers, so conditions that the report cannot mean do not matter.
    ///
    /// - Parameter column: the largest first.
    func names(_ report: String, by column: String) async throws(DashboardFailure) -> [String] {
        let figures = try await rows(report, Self.limited(address(report)).parameters, areMain: false)
        guard let name = figures.columns.first?.name else { return [] }
        return figures.rows.filter { !ReportRows.isSyntheticName($0.text(name)) && $0.number(column) > 0 }
            .sorted { $0.number(column) > $1.number(column) }
            .map { $0.text(name) }
    }

    /// The names of the app's conversions, the most frequent first.
    func goals() async throws(DashboardFailure) -> [String] {
        try await names("goals", by: "conversions")
    }

    /// The report that ``goals()`` asks for.
    var goalsAddress: ReportAddress { address("goals") }

    /// Where the same figures are by themselves.
    func address(
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        of other: DateSpan? = nil
    ) -> ReportAddress {
        ReportAddress(report: report, parameters: parameters(report, own, of: other ?? span))
    }

    /// The key of the condition that somebody adds; nil if nobody does.
    var addedKey: String? { added["add"] }

    /// The values of a key that occur in these days, the most frequent first, and whether there are more.
    func values(of key: String) async throws(DashboardFailure) -> (names: [String], hasMore: Bool) {
        let parameters = parameters("breakdown", [("by", key), ("limit", "200")], of: span)
        let names = try await rows("breakdown", parameters, areMain: false).rows.map { $0.text(key) }
        return (names.filter { !ReportRows.isSyntheticName($0) }, names.contains("(others)"))
    }

    /// The fields of the URL that every view keeps.
    var shared: [(name: String, value: String)] { Self.shared(span, filters) }

    private static func shared(_ span: DateSpan, _ filters: Filters) -> [(name: String, value: String)] {
        [("from", span.from), ("through", span.through)] + filters.parameters
    }

    /// The URL of a view with the same days and conditions. The parameters stay if the view does.
    func href(_ view: View) -> String {
        guard view != self.view else { return href(view, given) }
        let fields = hasUsualDays ? filters.parameters : shared
        return view.path + (fields.isEmpty ? "" : "?" + FormFields.encode(fields))
    }

    func href(
        _ view: View,
        _ own: [(name: String, value: String)],
        filters: Filters? = nil,
        span: DateSpan? = nil
    ) -> String {
        view.path + "?" + FormFields.encode(Self.shared(span ?? self.span, filters ?? self.filters) + own)
    }

    /// The URL of the same figures with other conditions.
    func href(filters: Filters) -> String { href(view, given, filters: filters) }

    /// The URL of the same figures without some of the view's own fields.
    func href(without fields: [String]) -> String { href(view, given.filter { !fields.contains($0.name) }) }

    /// The URL of the page with another word of a field; nil: without it.
    func href(_ field: String, is word: String?) -> String {
        href(view, given.filter { $0.name != field } + (word.map { [(field, $0)] } ?? []))
    }

    /// The URL of the same figures on other days.
    func href(span: DateSpan) -> String { href(view, given, span: span) }

    /// The address with the steps of a funnel or the keys of a breakdown as one parameter, and an added condition as
    /// another, if a form has sent them in parts.
    var tidyAddress: String? {
        let joined = JoinedFields.joined(given)
        guard let key = addedKey else { return joined.map { href(view, $0) } }
        // Without a script, the value of another key may be beside it.
        if takesPeople, let ready = ReadyDeeds.all.first(where: { $0.field == key }) {
            return href(view, joined ?? given, filters: ready.added(to: filters), span: ready.lengthened(span))
        }
        // The value is chosen next.
        guard let value = added["value"] else { return joined.map { href(view, $0 + [("add", key)]) } }
        return href(
            view,
            joined ?? given,
            filters: filters.adding(key, value, isExcluded: added["not"] != nil)
        )
    }
}
