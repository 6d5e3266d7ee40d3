import ArgumentParser
import Foundation
import InboundLinks
import Time
import Reporting
import Storage

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the rows behind the reports, as CSV or NDJSON.",
        discussion: """
            Exports:
            \(CatalogueHelp.list(ExportCatalogue.descriptions))

            'tributary export NAME --help' shows the parameters and columns of one export. A file appears whole or not \
            at all. docs/exports.md says how to load the rows.

              tributary export events --app shop --from 7d --output events.csv
              tributary export touches --app shop --format ndjson | gzip > t.ndjson.gz
              tributary export credits --app shop --model all --output credits.csv

            Every hour, only new rows (when you load them, replace the rows of each person; only add events):
              tributary export people --app shop --cursor-file cursor > "$(date +%s).csv"
            """
    )

    @Argument(
        help: ArgumentHelp("One of: \(ExportCatalogue.names.joined(separator: ", ")).", valueName: "name"),
        completion: .list(ExportCatalogue.names)
    )
    var name: String

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @OptionGroup(title: "Range and format")
    var common: CommonExportOptions

    @OptionGroup(title: "Incremental exports")
    var increment: IncrementOptions

    @OptionGroup(title: "Parameters of credits")
    var credits: CreditsExportOptions

    func run() async throws {
        let now = Timestamp.now
        let cursor = try increment.cursor()
        try await database.withPool(readsOnly: true) { pool in
            let app = try await app.app(on: pool)
            let request = try request(of: app, since: cursor, now: now)
            let files = ExportFiles(
                output: common.output,
                manifest: try common.manifestPath,
                cursor: increment.cursorFile,
                showsProgress: showsProgress
            )
            let started = ContinuousClock.now
            let outcome = try await files.runUnlessInterrupted(request, on: pool)
            tell(outcome, of: request, took: ContinuousClock.now - started)
        }
    }

    private func request(of app: App, since cursor: String?, now: Timestamp) throws -> ExportRequest {
        do {
            return try ExportRequest.parse(
                name: name,
                parameters: common.parameters + credits.parameters
                    + (cursor.map { [(name: "since", value: $0)] } ?? []),
                app: app,
                now: now
            )
        } catch {
            guard let file = increment.cursorFile, case .usage(let message, "since", _) = error else { throw error }
            throw CommandFailure(.usage, "--cursor-file '\(file)': \(message)")
        }
    }

    /// Progress must not mix with rows on a terminal.
    private var showsProgress: Bool { StandardError.isTerminal && (common.output != nil || isatty(1) == 0) }

    private func tell(_ outcome: ExportFiles.Outcome, of request: ExportRequest, took duration: Duration) {
        if let standby = outcome.standby { StandardError.write("tributary: \(standby.notice)") }
        if showsProgress {
            let seconds = duration.formatted(.units(allowed: [.minutes, .seconds, .milliseconds], maximumUnitCount: 2))
            StandardError.write("\(outcome.summary.rows) rows, \(outcome.byteCount) bytes in \(seconds)")
        }
        // With --cursor-file, the cursor is in that file.
        if let cursor = outcome.summary.cursor, increment.cursorFile == nil {
            StandardError.write("cursor: \(cursor)")
        }
    }
}

/// The options of every export.
struct CommonExportOptions: ParsableArguments {
    /// The value of `--manifest` without a file.
    private static let besideOutput = "<output>.manifest.json"

    @Option(help: "The start, included: \(ReportParameter.timeForms) (default: 30 days before --to).")
    var from: String?

    @Option(help: "The end, not included, in the same forms (default: now).")
    var to: String?

    @Option(help: "The time zone of dates (default: the app's).")
    var tz: String?

    @Option(help: "csv or ndjson (default: csv).", completion: .list(ExportFormat.allCases.map(\.rawValue)))
    var format: String?

    @Option(help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        defaultAsFlag: besideOutput,
        parsing: .next,
        help: ArgumentHelp("Also write the number of rows, SHA-256, range and cursor, as JSON.", valueName: "file")
    )
    var manifest: String?

    var parameters: [(name: String, value: String)] {
        [("from", from), ("to", to), ("tz", tz), ("format", format)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
    }

    var manifestPath: String? {
        get throws {
            guard manifest == Self.besideOutput else {
                guard manifest == nil || manifest != output else {
                    throw CommandFailure(.usage, "--manifest: the manifest cannot be the same file as --output")
                }
                return manifest
            }
            guard let output else {
                throw CommandFailure(.usage, "--manifest needs a file if the data goes to standard output")
            }
            return "\(output).manifest.json"
        }
    }
}

/// Where an incremental export begins.
struct IncrementOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only rows that are new since the export that printed this cursor; 0: all rows. The default range is all time.",
            valueName: "cursor"
        )
    )
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Like --since, with the cursor in this file, which is replaced at the end. A missing file means 0.",
            valueName: "file"
        )
    )
    var cursorFile: String?

    /// The cursor to begin at; nil for an export that is not incremental.
    func cursor() throws -> String? {
        guard let cursorFile else { return since }
        guard since == nil else {
            throw CommandFailure(.usage, "--since and --cursor-file both give the cursor; use one of them")
        }
        do {
            let text = try String(contentsOf: URL(fileURLWithPath: cursorFile), encoding: .utf8)
            let cursor = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return cursor.isEmpty ? ExportCursor.beginning : cursor
        } catch CocoaError.fileReadNoSuchFile {
            return ExportCursor.beginning
        } catch {
            throw CommandFailure(.notPermitted, "--cursor-file: '\(cursorFile)' cannot be read")
        }
    }
}

/// The options of `credits`. Other exports refuse them.
struct CreditsExportOptions: ParsableArguments {
    @Option(
        help: "What is credited: install or conversion (default conversion).",
        completion: ParameterValues.completion(of: "event")
    )
    var event: String?

    @Option(help: "Only conversions of this name.")
    var goal: String?

    @Option(
        help: "Attribution models, separated by commas, or all: last (default), first, linear, position, decay.",
        completion: ParameterValues.completion(of: "model")
    )
    var model: String?

    @Option(help: "How long before an install or conversion a touch can get credit (default 7d, at most 90d).")
    var lookback: String?

    var parameters: [(name: String, value: String)] {
        [("event", event), ("goal", goal), ("model", model), ("lookback", lookback)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
    }
}
