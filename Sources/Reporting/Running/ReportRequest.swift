package import Time
package import Storage
import Timelines
import Text

/// A request for a report, with all parameters read. The command line and HTTP share it.
package struct ReportRequest: Sendable {
    /// Where the request comes from. The command line has a few parameters more.
    package enum Origin: Sendable {
        /// Also accepts a file to write to, and a request for the SQL.
        case commandLine
        case http
    }

    /// The default range: thirty days of 24 hours.
    private static let defaultLength = Duration.seconds(30 * 86_400)

    let report: any Report
    package let name: String
    package let app: App
    /// The range that was asked for.
    package private(set) var range: ReportRange
    /// The part of the range that is counted: with `matured`, what has had its whole window.
    private(set) var counted: ReportRange
    /// The range to compare with, nil if none was asked for.
    package let previous: ReportRange?
    package let zone: ReportTimeZone
    /// When the report was requested.
    package let now: Timestamp
    /// Nil if no format was given: the caller has its own default.
    package let format: ReportFormat?
    /// The file to write to, nil for standard output.
    package let output: String?
    /// Whether to print the SQL (`sqlScript`) and run nothing.
    package let printsSQL: Bool
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
        origin: Origin,
        app: App,
        now: Timestamp
    ) throws(ReportError) -> ReportRequest {
        let type = try ReportCatalogue.report(named: name)
        let offered =
            type.parameters + ReportParameter.common + (origin == .commandLine ? ReportParameter.commandLine : [])
        var reader = try ParameterReader(parameters, report: name, allowed: offered)
        let report = try type.init(reading: &reader)
        let isCompared = try reader.flag("compare-previous")
        let isMatured =
            try type.parameters.contains { $0.name == "matured" }
            ? reader.isOn("matured", default: isCompared) : false
        // A funnel reads the flag itself.
        let isFunnel = report is any FunnelTableReport
        if !isFunnel { _ = try reader.option("compare-previous") }
        let own = reader.effective
        let zone = try zone(reading: &reader, app: app)
        let range = try range(reading: &reader, zone: zone, now: now)
        try report.check(range)
        if isMatured, reader.isGiven("matured"), report.matureEnd(at: now, in: zone) == nil {
            throw .usage(
                message:
                    "\(parameter: "matured") needs \(parameter: "within"): without it, nothing in \(name) has a window",
                field: "matured",
                allowed: []
            )
        }
        let counted = isMatured ? report.matureEnd(at: now, in: zone).map(range.before) ?? range : range
        return ReportRequest(
            report: isCompared && !isFunnel ? besidePrevious(report) : report,
            name: name,
            app: app,
            range: range,
            counted: counted,
            previous: isCompared ? counted.preceding(in: zone, movedLike: range) : nil,
            zone: zone,
            now: now,
            format: reader.isGiven("format") ? try reader.choice("format", default: ReportFormat.table) : nil,
            output: try reader.text("output"),
            printsSQL: try reader.flag("sql"),
            parameters: own
        )
    }

    private static func besidePrevious(_ report: some Report) -> any Report { BesidePrevious(report) }

    /// The same request for another range, all of which is counted.
    func over(_ range: ReportRange) -> ReportRequest {
        var request = self
        request.range = range
        request.counted = range
        return request
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
        let start = from ?? unasked?.from ?? end.advanced(by: .zero - defaultLength)
        guard start < end else {
            let hint = texts.from == texts.to ? texts.to.flatMap(ReportInstant.end(including:)) : nil
            throw .invalid(
                from == nil ? "to" : "from",
                "the range is empty or reversed: it starts at \(start.rfc3339)"
                    + " and ends before \(end.rfc3339)"
                    + (hint.map { "; the end is not included, so it may be \($0)" } ?? "")
            )
        }
        return ReportRange(from: start, to: end)
    }

    /// The statistics in the report's columns.
    package var methods: [StatisticalMethod] { report.methods }

    var query: TimelineQuery { report.query(in: range) }

    /// The values that it names and that only events can tell.
    var namedValues: [NamedValue] { report.namedValues }

    /// The same request for another report and range.
    func asking(_ report: any Report, in range: ReportRange) -> ReportRequest {
        ReportRequest(
            report: report,
            name: type(of: report).name,
            app: app,
            range: range,
            counted: range,
            previous: nil,
            zone: zone,
            now: now,
            format: format,
            output: nil,
            printsSQL: false,
            parameters: []
        )
    }

    /// The report over any source of timelines.
    func table(over source: some TimelineSource) throws -> ReportTable {
        withCompleteness(try foldedTable(over: source))
    }

    /// The same before its rows are completed.
    func foldedTable(over source: some TimelineSource) throws -> ReportTable {
        try table(of: report, over: source)
    }

    private func table<R: Report>(of report: R, over source: some TimelineSource) throws -> ReportTable {
        var fold = report.makeFold(run(dictionary: source.dictionary))
        try source.forEachPerson { person in fold.add(person) }
        return try ReportTable(columns: report.columns, of: fold)
    }

    func run(dictionary: TimelineDictionary) -> ReportRun {
        ReportRun(
            range: counted,
            previous: previous,
            zone: zone,
            now: now,
            currency: app.profile.currency,
            dictionary: dictionary
        )
    }
}
