import Events
import InboundLinks
import Postgres
package import Time
package import Storage
import Timelines
import Text

/// A request for a report, with all parameters read. The command line and HTTP share it.
package struct ReportRequest: Sendable {
    /// How many days of the calendar a range without a start has.
    private static let defaultDays = 30

    let report: any Report
    package let name: String
    package let app: App
    /// The range that was asked for.
    package let range: ReportRange
    /// The part of the range that is counted: with `matured`, what has had its whole window.
    let counted: ReportRange
    /// Whose events count.
    let conditions: PeopleConditions
    /// Whose people are listed; nil for the figures themselves.
    let people: PeopleQuestion?
    /// The range to compare with, nil if none was asked for.
    package let previous: ReportRange?
    package let zone: ReportTimeZone
    /// When the report was requested.
    package let now: Timestamp
    /// Nil if no format was given: the caller has its own default.
    package let format: ReportFormat?
    let dialect: CSVDialect
    /// The columns that are written, in this order; nil for all.
    let shownColumns: [String]?
    /// The file to write to, nil for standard output.
    package let output: String?
    /// Whether to print the SQL (`sqlScript`) and run nothing.
    package let printsSQL: Bool
    /// How many characters wide a table may be; nil for as wide as it gets.
    package var tableWidth: Int?
    /// What a page is to the app.
    fileprivate(set) var pageReader = PageReader()
    /// What other currencies are worth; nil without rates, and before the report runs.
    var rates: ExchangeRates?
    /// What its rows cost; nil if they can have no costs, and before the report runs.
    var costs: CostTable?
    /// When the app's first event happened; nil without events, and before the report runs.
    package var firstEvent: Timestamp?
    /// The report's own parameters in effect, defaults included.
    package let parameters: [(name: String, value: String)]

    /// Reads a report's name and parameters (docs/reports.md, *Parameters that all reports share*). The caller has
    /// already resolved `app` and `database`.
    ///
    /// - Parameters:
    ///   - parameters: names without dashes. A flag (`sql`) has the value `true`.
    ///   - now: when the report is requested. The default range ends here.
    /// - Throws: `ReportError.usage`.
    package static func parse(
        name: String,
        parameters: [(name: String, value: String)],
        origin: RequestOrigin,
        app: App,
        now: Timestamp
    ) throws(ReportError) -> ReportRequest {
        let type = try ReportCatalogue.report(named: name)
        let offered =
            type.ownParameters + ReportParameter.common + (origin == .commandLine ? ReportParameter.commandLine : [])
        var reader = try ParameterReader(
            parameters,
            report: name,
            allowed: offered,
            properties: app.properties
        )
        let report = try type.init(reading: &reader)
        let isCompared = try reader.flag("compare-previous") || type.needsPrevious
        let matured = type.parameters.first { $0.name == "matured" }
        let isMatured =
            try matured.map { parameter throws(ReportError) in
                try reader.isOn(parameter.name, default: isCompared || parameter == .maturedUnlessOff)
            } ?? false
        if !type.comparesItself { _ = try reader.option("compare-previous") }
        let conditions = try PeopleConditions(reading: &reader, refusedFor: type.reasonAgainstPeople)
        let people = try PeopleQuestion.read(&reader, of: report, isCompared: isCompared)
        let own = reader.effective
        let zone = try zone(reading: &reader, app: app)
        let range = try range(reading: &reader, zone: zone, now: now)
        try report.check(range)
        if isMatured, reader.isGiven("matured"), report.matureEnd(at: now, in: zone) == nil {
            throw .usage(
                message:
                    "\(parameter: "matured") needs \(parameter: "within"): without it, nothing in \(name) has a window",
                field: "matured"
            )
        }
        let counted = isMatured ? report.matureEnd(at: now, in: zone).map(range.before) ?? range : range
        let format = reader.isGiven("format") ? try reader.choice("format", default: ReportFormat.table) : nil
        let dialect = try reader.choice("dialect", default: CSVDialect.standard)
        if dialect != .standard, let format, format != .csv {
            throw .invalid("dialect", "is for CSV: leave out format=\(format.rawValue), or ask for csv")
        }
        return ReportRequest(
            report: report,
            name: name,
            app: app,
            range: range,
            counted: counted,
            conditions: conditions,
            people: people,
            previous: isCompared ? counted.preceding(in: zone, movedLike: range) : nil,
            zone: zone,
            now: now,
            format: dialect == .standard ? format : .csv,
            dialect: dialect,
            shownColumns: try shownColumns(reading: &reader, of: report, isCompared: isCompared, people: people),
            output: try reader.text("output"),
            printsSQL: try reader.flag("sql"),
            parameters: own
        )
    }

    private static func shownColumns(
        reading reader: inout ParameterReader,
        of report: any Report,
        isCompared: Bool,
        people: PeopleQuestion?
    ) throws(ReportError) -> [String]? {
        guard reader.isGiven("columns") else { return nil }
        let type = type(of: report)
        var columns = report.columns + ((report as? any CostedReport)?.costColumns ?? [])
        if isCompared, !type.comparesItself { columns += RowMatching.previousColumns(of: columns) }
        if report.rowPeriods != nil { columns += [type.completeColumn].compactMap(\.self) }
        if people != nil { columns = PeopleQuestion.columns }
        let names = reader.list("columns", default: [])
        for (index, name) in names.enumerated() {
            guard columns.contains(where: { $0.name == name }) else {
                throw .unknown("column", name, field: "columns", allowed: columns.map(\.name))
            }
            guard !names[..<index].contains(name) else { throw .invalid("columns", "'\(name)' is given twice") }
        }
        return names
    }

    static func zone(
        reading reader: inout ParameterReader,
        app: App
    ) throws(ReportError) -> ReportTimeZone {
        let name = try reader.text("tz") ?? app.profile.timeZone
        guard let zone = ReportTimeZone(name) else {
            let hint = closestName(to: name, among: ReportTimeZone.names).map { "; did you mean '\($0)'?" } ?? ""
            throw .invalid("tz", "unknown time zone '\(name)'\(hint)", allowed: ReportTimeZone.names(near: name))
        }
        return zone
    }

    /// - Parameter unasked: the range if neither end is given; nil for the last thirty days.
    static func range(
        reading reader: inout ParameterReader,
        zone: ReportTimeZone,
        now: Timestamp,
        unasked: ReportRange? = nil
    ) throws(ReportError) -> ReportRange {
        let texts = (from: try reader.text("from"), to: try reader.text("to"))
        let from = try texts.from.map { text throws(ReportError) in
            try ReportInstant.parse(text, field: "from", zone: zone, now: now)
        }
        let to = try texts.to.map { text throws(ReportError) in
            try ReportInstant.parse(text, field: "to", zone: zone, now: now)
        }
        let end = to ?? unasked?.to ?? now
        let lastDay = zone.day(of: end.advanced(byMicroseconds: -1))
        let start =
            from ?? unasked?.from ?? zone.start(of: ReportInstant.lastDays(defaultDays, endingWith: lastDay))
        guard start < end else {
            let hint = texts.from == texts.to ? texts.to.flatMap(ReportInstant.end(including:)) : nil
            let ends = [start, end].map { ReportInstant.localText(of: $0, in: zone) }
            throw .invalid(
                from == nil ? "to" : "from",
                "the range is empty or reversed: it starts at \(ends[0]) and ends before \(ends[1]) (\(zone.name))"
                    + (hint.map { "; the end is not included, so it may be \($0)" } ?? "")
            )
        }
        return ReportRange(from: start, to: end)
    }

    /// The statistics in the report's columns.
    package var methods: [StatisticalMethod] { listsPeople ? [] : report.methods }

    /// Why nothing can be compared with a range: the app had no events when it began. Nil if it had.
    package func incomparability(of range: ReportRange) -> String? {
        guard let firstEvent, range.from < firstEvent else { return nil }
        let times = [firstEvent, range.from].map { ReportInstant.localText(of: $0, in: zone) }
        return "no comparison: the app's first event is of \(times[0]), and the range before begins at \(times[1])"
    }

    /// The preceding range, if it is asked for and can be compared with.
    var comparedRange: ReportRange? { previous.flatMap { incomparability(of: $0) == nil ? $0 : nil } }

    /// The ends of the ranges that are compared, the request's own first: whole ones, also of what is not mature.
    var ends: [Timestamp] { [range.to] + (comparedRange == nil ? [] : [range.preceding(in: zone).to]) }

    var query: TimelineQuery {
        var query = report.completeQuery(in: besideRange == nil ? range : range.withPreceding)
        if !conditions.isEmpty { query = query.union(conditions.query(until: ends)) }
        // Who is lost has not come back to this day.
        if people?.figure == .lost { query.through = Timestamp.spellable.upperBound }
        if people != nil {
            // The ids of people are found by an event of each, and what is known of their devices by any.
            let seen = TimelineQuery(Set(EventType.allCases), in: range, needs: [.ids, .countries])
            query = query.union(seen)
        }
        return query
    }

    /// The declared properties that it asks for.
    package var properties: [AppProperty] { query.properties.sorted { $0.key < $1.key }.map(\.value) }

    /// The values that it names and that only events can tell.
    var namedValues: [NamedValue] { report.namedValues + conditions.namedValues }

    /// The same request for another report and range.
    func asking(_ report: any Report, in range: ReportRange) -> ReportRequest {
        ReportRequest(
            report: report,
            name: type(of: report).name,
            app: app,
            range: range,
            counted: range,
            conditions: PeopleConditions(),
            people: nil,
            previous: nil,
            zone: zone,
            now: now,
            format: format,
            dialect: dialect,
            shownColumns: nil,
            output: nil,
            printsSQL: false,
            pageReader: pageReader,
            rates: rates,
            parameters: []
        )
    }

    var size: AnswerSize {
        AnswerSize(columns: columns.count + 1, options: sizeOptions, keepsPeople: type(of: report).keepsPeople)
    }

    func run(dictionary: TimelineDictionary) -> ReportRun {
        dictionary.pageReader = pageReader
        dictionary.rates = rates
        dictionary.currency = app.profile.currency
        return ReportRun(
            range: counted,
            previous: comparedRange,
            zone: zone,
            now: now,
            firstEvent: firstEvent,
            currency: app.profile.currency,
            dictionary: dictionary,
            size: size,
            costs: costs
        )
    }
}

extension [ReportRequest] {
    /// The same requests, all of one app, with what is known of it: when its first event happened, and what its rules
    /// say of pages, and its rates, if one of the reports may ask for them.
    func readingApp(on connection: isolated PostgresConnection) throws -> [ReportRequest] {
        guard let first else { return self }
        let firstEvent = try Freshness.firstEvent(of: first.app, on: connection)
        let needsPages = contains { $0.query.needs.contains(.targets) }
        let reader = needsPages ? try AppStore.pageReader(of: first.app, on: connection) : nil
        let query = dropFirst().reduce(first.query) { $0.union($1.query) }
        let rates = try ExchangeRates(of: first.app, for: query, on: connection)
        return try map { request in
            var request = request
            request.firstEvent = firstEvent
            request.rates = rates
            request.costs = try request.readCosts(on: connection)
            if let reader { request.pageReader = reader }
            return request
        }
    }
}
