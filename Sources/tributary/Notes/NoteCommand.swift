import ArgumentParser
import InboundLinks
import Postgres
import Reporting
import Storage
import Time

struct NoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Note what happened on a day: a release, an outage.",
        discussion: """
            Notes stand in the dashboard's charts, and in what is sent of questions about these days (docs/notes.md).

              tributary note add 'version 2 out' --app shop --day 2026-11-24
              tributary note list --app shop
            """,
        subcommands: [AddNoteCommand.self, ListNotesCommand.self, DeleteNoteCommand.self]
    )
}

/// The app whose notes a command works on.
struct NoteOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    func withNotes<Result>(
        readsOnly: Bool = false,
        _ body: (Notes, App) async throws -> Result
    ) async throws -> Result {
        try await database.withPool(readsOnly: readsOnly) { pool in
            try await body(Notes(pool: pool), try await app.app(on: pool))
        }
    }
}

extension Note {
    fileprivate var shownRecord: Record {
        Record([("number", .number(number)), ("day", .string(day.description)), ("text", .string(text))])
    }
}

struct AddNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a note.")

    @OptionGroup var options: NoteOptions

    @Argument(help: "What happened, in a few words.")
    var text: String

    @Option(help: ArgumentHelp("The day, in the app's time zone: 2026-11-24, today or yesterday.", valueName: "date"))
    var day = "today"

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let note = try await options.withNotes { notes, app in try await notes.add(text, on: day, of: app) }
        note.shownRecord.print(as: format.form)
    }
}

struct ListNotesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's notes, by day.")

    @OptionGroup var options: NoteOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let notes = try await options.withNotes(readsOnly: true) { notes, app in try await notes.list(of: app) }
        Record.print(
            notes,
            as: format.form,
            row: { ["number \($0.number)", "\($0.day)", $0.text] },
            record: \.shownRecord
        )
        if notes.isEmpty { StandardError.write("there are no notes; 'tributary note add' adds one") }
    }
}

struct DeleteNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a note.")

    @OptionGroup var options: NoteOptions

    @Argument(help: "Its number, as 'tributary note list' shows it.")
    var number: Int64

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let note = try await options.withNotes { notes, app in try await notes.delete(number, of: app) }
        note.shownRecord.print(as: format.form)
    }
}
