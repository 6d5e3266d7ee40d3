import ArgumentParser
import Importing
import InboundLinks
import Redirects
import Reporting
import Storage

struct ImportLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create short links from files.",
        discussion: """
            Reads what 'tributary link export' writes (NDJSON or CSV), exports of Bitly (CSV, or JSON of its API), of \
            Firebase Dynamic Links, Shlink, Rebrandly, Short.io, TinyURL, YOURLS and Kutt, and long links of Firebase, \
            one a line. The first bytes show the form. Files may be compressed with gzip; - is standard input.

              tributary link import links.ndjson
              tributary link import --host go.example.com bitly.csv

            A link that exists with the same fields is skipped, so an import can be repeated. A wrong line is \
            reported, and the others are imported. Ends with status 65 if a line was wrong or a file was empty.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "The host of all links. Default: as the files say; for links of other services, the app's first.")
    var host: String?

    @Option(help: "The form of the summary.")
    var format: RecordFormat.Form = .text

    @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    func run() async throws {
        if files.filter({ $0 == "-" }).count > 1 {
            throw CommandFailure(.usage, "standard input can be read only once")
        }
        let console = LinkImportConsole()
        let tally = try await database.withPool { pool in
            let app = try await app.app(on: pool)
            var importer = LinkImporter(
                app: app,
                store: LinkStore(pool: pool),
                host: host.map { LinkHost.normalised($0) ?? $0 },
                readCell: CSVWriter.text(ofField:),
                tell: console.tell
            )
            do {
                try await importer.run(files)
                console.finish()
            } catch {
                console.finish()
                let done = importer.tally.created + importer.tally.skipped
                if done > 0 {
                    StandardError.write("stored so far: \(done); run the same command again to continue")
                }
                throw error
            }
            return importer.tally
        }
        Record([
            ("created", .number(Int64(tally.created))), ("skipped", .number(Int64(tally.skipped))),
            ("wrong", .number(Int64(tally.wrong))),
        ]).print(as: format)
        if tally.wrong > 0 || tally.emptyFiles > 0 { throw ExitCode(CommandFailure.Status.badData.rawValue) }
    }
}

/// Prints the notices of an import of links.
private final class LinkImportConsole {
    /// The most wrong lines that are printed one by one.
    private static let shownLines = 20

    private var progress = Progress()
    private var wrong = 0

    func tell(_ notice: LinkImporter.Notice) {
        switch notice {
        case .progress(let links, let fraction): progress.show("links", done: links, fraction: fraction)
        case .isEmpty(let file): write("\(file) is empty: it has no link")
        case .unread(let file, let columns):
            write("\(file): these columns are not read: \(columns.joined(separator: ", "))")
        case .unreadTime(let file, let line):
            write(
                "\(file), line \(line): the time of creation is in a form that is not read, so the link is as new as its import; write 2026-03-01T10:00:00Z"
            )
        case .setting(let setting):
            write(
                "the links name --\(setting.option) \(setting.value), which the app does not have; 'tributary app update' sets it"
            )
        case .wrong(let file, let line, let fault):
            wrong += 1
            if wrong <= Self.shownLines {
                write("\(file), line \(line): \(fault.message) (\(fault.code.rawValue))")
            } else if wrong == Self.shownLines + 1 {
                write("further wrong lines are only counted")
            }
        }
    }

    func finish() {
        progress.finish()
    }

    private func write(_ line: String) { progress.write(line) }
}
