import ArgumentParser
import Events
import Foundation
import InboundLinks
import Storage

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store events from NDJSON files, one event a line; - is standard input.",
        discussion: """
            The same checks as over HTTP. Events that carry an event_id are stored once, however often a file is \
            imported. Ends with 65 when an event was rejected; the others are stored all the same.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The app that the events belong to.")
    var app: String

    @Argument(help: ArgumentHelp("NDJSON files.", valueName: "file"))
    var files: [String]

    func run() async throws {
        let inputs = try files.map(ImportFile.init(path:))
        try await database.withPool { pool in
            let app = try await AppStore(pool: pool).app(id: app)
            var importer = EventImporter(app: app, writer: EventWriter(pool: pool, logger: DatabaseOptions.logger))
            try await importer.run(inputs)
            print(importer.summary)
            if importer.rejectedCount > 0 { throw ExitCode(CommandFailure.Status.badData.rawValue) }
        }
    }
}
