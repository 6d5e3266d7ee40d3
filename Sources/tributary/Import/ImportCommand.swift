import ArgumentParser
import Events
import Foundation
import Importing
import InboundLinks
import Reporting
import Settings
import Storage
import Timelines

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store events from files: NDJSON, one event a line, or CSV with a mapping.",
        discussion: """
            The same checks apply as over HTTP. Files may be compressed with gzip; - is standard input. A line is for \
            example {"type":"install","user_id":"alice"} (docs/events.md).

              tributary import --app shop events.ndjson more.ndjson.gz
              zcat events.ndjson.gz | grep alice | tributary import --app shop -

            A file that is something else, such as an Excel workbook or a JSON array, is refused before anything is \
            stored; the message says what to do.

            If an import is interrupted, run the same command again. It continues after the last commit: nothing is \
            lost, and nothing is stored twice. A file that was imported completely is not imported again; if it has \
            grown, the new lines are imported. Standard input is always read from its beginning, and events that are \
            already stored count as duplicates.

            CSV needs --mapping, a YAML file that says what the columns mean (docs/import.md). Try it first:
              tributary import --app shop --mapping map.yaml --dry-run events.csv

            After a large import, the command packs the events for reports, unless a daemon does that. You may \
            interrupt the packing.

            Events older than the retention period (retention.days, TRIBUTARY_RETENTION_DAYS, default 400) are \
            rejected. To import older history, raise the period for this command and for tributaryd.

            Ends with status 65 if an event was rejected (all other events are stored) or a file was empty. \
            'tributary rejected list' shows the rejected events.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(
        help: ArgumentHelp("Read the files as CSV; this YAML file says what the columns mean.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var mapping: String?

    @Option(
        help: ArgumentHelp("Write every rejected line to this file, as NDJSON.", valueName: "file"),
        completion: .file()
    )
    var rejected: String?

    @Flag(help: "Store nothing; print the events that would be stored, as NDJSON, secrets replaced.")
    var dryRun = false

    @Flag(help: "Read files from their beginning, even if they were imported before.")
    var again = false

    @Option(help: "The form of the summary.")
    var format: RecordFormat.Form = .text

    @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    func run() async throws {
        if files.filter({ $0 == "-" }).count > 1 {
            throw CommandFailure(.usage, "standard input can be read only once")
        }
        let days = try await RetentionSettings.days(SettingsReader(file: database.file))
        var settings = EventImporter.Settings(retention: .seconds(days * 86_400), mapping: try readMapping())
        settings.readsAgain = again
        settings.rejectedFile = rejected
        let tally = dryRun ? try await tryOut(settings, days) : try await store(settings)
        if !dryRun {
            let summary = summary(of: tally, days)
            print(summary.text(as: format))
            for hint in summary.hints { StandardError.write(hint) }
        }
        if !dryRun, tally.accepted > 0 { await pack() }
        if tally.rejectedCount > 0 || tally.emptyFiles > 0 { throw ExitCode(CommandFailure.Status.badData.rawValue) }
    }

    private func summary(of tally: ImportTally, _ days: Int) -> ImportSummary {
        ImportSummary(tally: tally, hasMapping: mapping != nil, retentionDays: days)
    }

    private func readMapping() throws -> ImportMapping? {
        guard let mapping else { return nil }
        guard let data = FileManager.default.contents(atPath: mapping) else {
            throw CommandFailure(.usage, "the mapping '\(mapping)' cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.usage, "the mapping '\(mapping)' is not UTF-8")
        }
        return try ImportMapping(yaml: text, name: mapping)
    }

    private func store(_ settings: EventImporter.Settings) async throws -> ImportTally {
        try await database.withPool { pool in
            let app = try await app.app(on: pool)
            try await ClockCheck.run(pool)
            let writer = EventWriter(pool: pool, logger: DatabaseOptions.logger)
            let destination = EventImporter.Destination(
                writer: writer,
                checkpoints: ImportCheckpointStore(pool: pool)
            )
            let console = ImportConsole()
            var settings = settings
            settings.links = try await LinkStore(pool: pool).snapshot(ofApp: app.number).table
            settings.rules = { try await AppStore(pool: pool).rules(of: app) }
            var importer = EventImporter(app: app, settings: settings, destination: destination, tell: console.tell)
            do {
                try await writer.whileRunning { try await importer.run(files) }
                console.finish()
            } catch {
                console.finish()
                if importer.tally.accepted > 0 {
                    StandardError.write(
                        "stored so far: \(importer.tally.accepted); run the same command again to continue"
                    )
                }
                throw error
            }
            return importer.tally
        }
    }

    /// Packs the events, so that the next report is fast even if no daemon runs.
    private func pack() async {
        // Shows the summary first: the user may interrupt the packing.
        fflush(nil)
        do {
            // A session lock guards packing, so one connection does all of it.
            try await database.withPool(size: 1, migrating: false) { pool in
                let app = try await app.app(on: pool)
                try await Progress.whileWaiting("packing events of \(app.profile.id) for reports") {
                    try await TimelineUpkeep(pool: pool).settle(app)
                }
            }
        } catch {
            StandardError.write(
                "the events are stored, but packing them for reports failed; tributaryd will pack them: \(error)"
            )
        }
    }

    /// The dry run. It needs no database if the app is named. Standard output has the events, so the summary goes to
    /// standard error, also if a file cannot be read to its end.
    private func tryOut(_ settings: EventImporter.Settings, _ days: Int) async throws -> ImportTally {
        let app =
            if let id = self.app.id {
                App(number: 0, profile: AppProfile(id: id, name: id))
            } else {
                try await database.withPool { try await self.app.app(on: $0) }
            }
        let console = ImportConsole()
        var importer = EventImporter(app: app, settings: settings, destination: nil, tell: console.tell)
        let result: Result<Void, any Error>
        do { result = .success(try await importer.run(files)) } catch { result = .failure(error) }
        console.finish()
        let summary = summary(of: importer.tally, days)
        StandardError.write(summary.text(as: format))
        for hint in summary.hints { StandardError.write(hint) }
        try result.get()
        return importer.tally
    }
}
