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
    var common: CatalogueOptions<CommonExportOptions>

    @OptionGroup(title: "Parameters of some exports")
    var special: CatalogueOptions<SpecialExportOptions>

    /// The options that the command itself reads.
    private static let ownOptions = Set(ReportParameter.exportCommandLine.map(\.name) + ["since"])

    private var output: String? { common["output"] }
    private var cursorFile: String? { common["cursor-file"] }

    func run() async throws {
        let now = Timestamp.now
        let cursor = try cursor
        try await database.withPool(readsOnly: true) { pool in
            let app = try await app.app(on: pool)
            let request = try request(of: app, since: cursor, now: now)
            let files = ExportFiles(
                output: output,
                manifest: try manifestPath,
                cursor: cursorFile,
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
                parameters: (common.parameters + special.parameters).filter { !Self.ownOptions.contains($0.name) }
                    + (cursor.map { [(name: "since", value: $0)] } ?? []),
                app: app,
                now: now
            )
        } catch {
            guard let file = cursorFile, case .usage(let message, "since", _) = error else { throw error }
            throw CommandFailure(.usage, "--cursor-file '\(file)': \(message)")
        }
    }

    /// Progress must not mix with rows on a terminal.
    private var showsProgress: Bool { StandardError.isTerminal && (output != nil || isatty(1) == 0) }

    private func tell(_ outcome: ExportFiles.Outcome, of request: ExportRequest, took duration: Duration) {
        if let standby = outcome.standby { StandardError.write("tributary: \(standby.notice)") }
        if showsProgress {
            let seconds = duration.formatted(.units(allowed: [.minutes, .seconds, .milliseconds], maximumUnitCount: 2))
            StandardError.write("\(outcome.summary.rows) rows, \(outcome.byteCount) bytes in \(seconds)")
        }
        // With --cursor-file, the cursor is in that file.
        if let cursor = outcome.summary.cursor, cursorFile == nil {
            StandardError.write("cursor: \(cursor)")
        }
    }

    private var manifestPath: String? {
        get throws {
            let manifest = common["manifest"]
            guard manifest == ReportParameter.besideOutput else {
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

    /// The cursor to begin at; nil for an export that is not incremental.
    private var cursor: String? {
        get throws {
            let since = common["since"]
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
}
