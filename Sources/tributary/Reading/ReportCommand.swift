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
    var common: CatalogueOptions<CommonReportOptions>

    @OptionGroup(title: "Parameters of some reports")
    var special: CatalogueOptions<SpecialReportOptions>

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
        common.parameters + special.parameters
    }

    /// Runs a report on all connections of the pool, and writes it.
    static func answer(_ request: ReportRequest, on pool: PostgresPool) async throws {
        var request = request
        request.tableWidth = request.output == nil ? StandardOutput.terminalWidth : nil
        if request.listsPeople { return try await list(request, on: pool) }
        let app = request.app
        let start = ContinuousClock.now
        let notice = await AppStore(pool: pool).historyNotice(of: app, asking: request.properties)
        let result = try await Progress.whileWaiting("reading events of \(app.profile.id)") { [request] in
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
        tell(result.warnings)
        // A table and JSON contain the methods; CSV has no place for them.
        if format(of: request) == .csv, StandardError.isTerminal {
            for method in request.methods { StandardError.write(method.text) }
        }
        await explain(time, app, pool)
    }

    private static func tell(_ warnings: [ReportWarning]) {
        for warning in warnings {
            let message = Redaction.redact(warning.message.text(for: .commandLine)).replacing("\n", with: " ")
            StandardError.write("tributary: warning: \(message)")
        }
    }

    /// Lists the people behind a figure. The rows are written as they come.
    private static func list(_ request: ReportRequest, on pool: PostgresPool) async throws {
        let notice = await AppStore(pool: pool).historyNotice(of: request.app)
        let file = try request.output.map { try WholeFile(path: $0, option: "--output", keepsMode: false) }
        let notes = try await PeopleRunner.run(
            request,
            as: format(of: request),
            on: pool,
            to: ListDestination(file: file)
        ).notes
        try file?.place()
        if let notice { StandardError.write("tributary: \(notice)") }
        if let standby = notes.standby { StandardError.write("tributary: \(standby.notice)") }
        tell(notes.warnings)
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

/// Where a list of people goes.
private struct ListDestination: ExportSink {
    /// Nil for standard output.
    let file: WholeFile?

    func write(_ text: UnsafeRawBufferPointer, rows: Int) throws {
        if let file { try file.write(text) } else { try StandardOutput.write(text) }
    }
}
