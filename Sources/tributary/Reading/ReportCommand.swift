import ArgumentParser
import Foundation
import InboundLinks
import Time
import Postgres
import Reporting
import Storage
import Timelines

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a report: a table on a terminal, otherwise CSV.",
        discussion: """
            Reports:
            \(CatalogueHelp.list(ReportCatalogue.descriptions))

            'tributary report NAME --help' shows the parameters and columns of one report. docs/reports.md defines \
            every figure. Durations are 90s, 30m, 36h or 7d. A report over many events reads on several connections \
            at once; TRIBUTARY_REPORT_CONNECTIONS sets how many (docs/configuration.md).

              tributary report channels --app shop --from 7d
              tributary report refs --app shop --from 2026-11 --to 2026-12
              tributary report channels --app shop --by week --from 2026-01-01
              tributary report funnel --app shop --steps touch,install --by channel
              tributary report installs --app shop --by ref --output installs.csv
            """
    )

    @Argument(
        help: ArgumentHelp("One of: \(ReportCatalogue.names.joined(separator: ", ")).", valueName: "name"),
        completion: .list(ReportCatalogue.names)
    )
    var name: String

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @OptionGroup(title: "Range and format")
    var common: CommonReportOptions

    @OptionGroup(title: "Parameters of some reports")
    var special: SpecialReportOptions

    @Flag(help: "Print the SQL and its parameters instead of running it.")
    var sql = false

    func run() async throws {
        let now = Timestamp.now
        try ReportCatalogue.check(name)
        try await database.withPool(size: try await database.reportConnections(), readsOnly: true) { pool in
            let app = try await app.app(on: pool)
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters,
                origin: .commandLine,
                app: app,
                now: now
            )
            if request.printsSQL { return try Self.write(request.sqlScript, to: request.output) }
            try await Self.answer(request, on: pool)
        }
    }

    /// The parameters that are given. A flag has the value `true`.
    var parameters: [(name: String, value: String)] {
        common.parameters + special.parameters + (sql ? [(name: "sql", value: "true")] : [])
    }

    /// Runs a report on all connections of the pool, and writes it.
    static func answer(_ request: ReportRequest, on pool: PostgresPool) async throws {
        let app = request.app
        let start = ContinuousClock.now
        let notice = await AppStore(pool: pool).historyNotice(of: app)
        let result = try await Progress.whileWaiting("reading events of \(app.profile.id)") {
            var result = try await ReportRunner.run(request, on: pool, connections: pool.size)
            result.freshness = try await pool.withConnection {
                try Freshness.read(of: app, zone: request.zone, now: request.now, on: $0)
            }
            return result
        }
        let time = ContinuousClock.now - start
        if let notice { StandardError.write("tributary: \(notice)") }
        if let standby = result.standby { StandardError.write("tributary: \(standby.notice)") }
        try write(result.text(as: format(of: request)), to: request.output)
        if let freshness = result.freshness {
            StandardError.write("tributary: \(freshness.text(in: request.zone))")
        }
        for warning in result.warnings {
            let message = Redaction.redact(warning.message.text(for: .commandLine)).replacing("\n", with: " ")
            StandardError.write("tributary: warning: \(message)")
        }
        // A table and JSON contain the methods; CSV has no place for them.
        if format(of: request) == .csv, StandardError.isTerminal {
            for method in request.methods { StandardError.write(method.text) }
        }
        await explain(time, app, pool)
    }

    /// Says on a terminal why a report was slow, if packing its events would help. The report is already printed, so
    /// errors are ignored.
    private static func explain(_ time: Duration, _ app: App, _ pool: PostgresPool) async {
        guard StandardError.isTerminal, time > .seconds(5) else { return }
        let counted = try? await Progress.whileWaiting("counting events that are not packed") {
            try await TimelinePacker(app: app, pool: pool).unpackedEvents()
        }
        guard let events = counted, events > 100_000 else { return }
        StandardError.write(
            """
            This took \(time.components.seconds) s. \(events) events are not packed, and such events take longer to \
            read. A running tributaryd packs them in the background; 'tributary rebuild' packs all of them now.
            """
        )
    }

    private static func format(of request: ReportRequest) -> ReportFormat {
        request.format ?? (request.output == nil && isatty(1) == 1 ? .table : .csv)
    }

    private static func write(_ text: String, to output: String?) throws {
        guard let output else {
            return try StandardOutput.write(text)
        }
        let file = try WholeFile(path: output, option: "--output")
        try file.write(text)
        try file.place()
    }
}

/// The options of every report.
struct CommonReportOptions: ParsableArguments {
    @Option(help: "The start, included: \(ReportParameter.timeForms) (default: 30 days before --to).")
    var from: String?

    @Option(help: "The end, not included, in the same forms (default: now).")
    var to: String?

    @Option(help: "The time zone of dates (default: the app's).")
    var tz: String?

    @Option(
        help: "table, csv or json (default: table on a terminal, otherwise csv).",
        completion: .list(ReportFormat.allCases.map(\.rawValue))
    )
    var format: String?

    @Option(help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"), completion: .file())
    var output: String?

    var parameters: [(name: String, value: String)] {
        [("from", from), ("to", to), ("tz", tz), ("format", format), ("output", output)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
    }
}

/// The options of some reports. Each report refuses those that it does not take.
struct SpecialReportOptions: ParsableArguments {
    @Option(help: "Count only conversions of this name.")
    var goal: String?

    @Option(help: "How long before an install or conversion a touch can get credit (default 7d, at most 90d).")
    var lookback: String?

    @Option(
        help:
            "A funnel's steps, 2 to 8, separated by commas. A step may have alternatives: 'touch,install|authentication'.",
        completion: ParameterValues.completion(of: "steps")
    )
    var steps: String?

    @Option(
        help: """
            What rows are grouped by. Funnels and retention: none, day, or a key of --where; funnels also by two, such \
            as channel,ref. Attribution and compare: a key of --where. Viral: one or two of ref, platform, composer and \
            poster. Breakdown: one or two keys of --where, post, poster, hour and more. Channels, refs and posts: day, \
            week or month.
            """,
        completion: ParameterValues.completion(of: "by")
    )
    var by: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            """
            Count only what has a property: KEY=VALUE[,VALUE…] or KEY!=VALUE[,VALUE…]. KEY is one of \
            \(ReportParameter.filterKeys.joined(separator: ", ")); not every report has all. May be repeated; all must \
            hold.
            """,
            valueName: "condition"
        ),
        completion: ParameterValues.completion(of: "where")
    )
    var conditions: [String] = []

    @Option(help: "How long a funnel may take (default 7d).")
    var window: String?

    @Option(
        help:
            "How long single steps may take: 1:1h,2:3d allows 1h from step 1 to 2, and 3d from step 2 to 3."
    )
    var stepWindow: String?

    @Option(
        help: "The order of a funnel's steps: sequential (default), strict (no other event between) or any.",
        completion: ParameterValues.completion(of: "order")
    )
    var order: String?

    @Option(
        help: ArgumentHelp(
            "An event that must not occur within a funnel, written like a step. May be repeated.",
            valueName: "step"
        ),
        completion: ParameterValues.completion(of: "exclude")
    )
    var exclude: [String] = []

    @Flag(help: "Show the times to a funnel's steps instead of its rates: percentiles and a histogram.")
    var times = false

    @Flag(help: "Add the figures of the preceding range of the same length; of a funnel, p-values too.")
    var comparePrevious = false

    @Option(
        defaultAsFlag: "on",
        help: """
            on or off: count only starts of funnels, cohorts and posts that have had their whole window (default off; \
            on with --compare-previous).
            """,
        completion: .list(["on", "off"])
    )
    var matured: String?

    @Option(help: "What is credited: install or conversion.", completion: ParameterValues.completion(of: "event"))
    var event: String?

    @Option(
        help: "Attribution models, separated by commas, or all: last (default), first, linear, position, decay.",
        completion: ParameterValues.completion(of: "model")
    )
    var model: String?

    @Option(
        help: """
            The event that puts people into a cohort of retention: touch (default), install, authentication, \
            conversion, conversion:NAME, each the first ever; or touch_in_range.
            """,
        completion: ParameterValues.completion(of: "cohort")
    )
    var cohort: String?

    @Option(
        help: "What retention counts as coming back: any (default), touch, conversion or conversion:NAME.",
        completion: ParameterValues.completion(of: "returns")
    )
    var returns: String?

    @Option(
        help: "The length of a retention period: day (default), week or month.",
        completion: ParameterValues.completion(of: "period")
    )
    var period: String?

    @Option(help: "The number of retention periods (default 8).")
    var periods: String?

    @Option(
        help: "The column that orders the rows of a breakdown (default touches).",
        completion: ParameterValues.completion(of: "sort")
    )
    var sort: String?

    @Option(help: "The number of paths, or of rows of a breakdown, that are shown (default 50).")
    var limit: String?

    @Option(help: "How long after its post an install counts in viral, for the posts of the range (at most 90d).")
    var within: String?

    @Option(help: "The first channel or ref to compare.")
    var a: String?

    @Option(help: "The channel or ref to compare it with, or several separated by commas.")
    var b: String?

    var parameters: [(name: String, value: String)] {
        [
            ("goal", goal), ("lookback", lookback), ("steps", steps), ("by", by), ("window", window),
            ("event", event), ("model", model), ("cohort", cohort), ("returns", returns), ("period", period),
            ("periods", periods), ("sort", sort), ("limit", limit),
            ("within", within), ("a", a), ("b", b), ("step-window", stepWindow), ("order", order),
            ("exclude", exclude.isEmpty ? nil : exclude.joined(separator: ",")),
            ("times", times ? "true" : nil), ("compare-previous", comparePrevious ? "true" : nil), ("matured", matured),
        ].compactMap { name, value in value.map { (name: name, value: $0) } }
            + conditions.map { (name: "where", value: $0) }
    }
}
