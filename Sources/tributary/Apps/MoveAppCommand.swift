import ArgumentParser
import InboundLinks
import Postgres
import Storage

struct MoveAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an app with all its data to another database, while its senders go on.",
        discussion: """
            The events are copied first, while daemons go on storing. Then the app is barred here for some seconds, \
            what is left is copied, and the app is in the other database. Events that come meanwhile, or to a daemon \
            of this database afterwards, are answered with 202 and wait in its spool: a daemon of the other database \
            with the same spool folder delivers them.

            Each database may be on one machine or on a Citus cluster, whose coordinator you name.

            If the command is interrupted, run it again and it continues. docs/moving.md says what to do before and \
            after.
            """
    )

    @OptionGroup var app: NamedApp

    @Option(
        help: ArgumentHelp(
            "The database that the app moves to: its address, or its name in the settings.",
            valueName: "url"
        )
    )
    var to: String?

    @Flag(help: "Show how much would be copied, and change nothing.")
    var dryRun = false

    @Flag(help: "Take back a move that has not ended: remove the copy, and let the app be stored here again.")
    var undo = false

    @Flag(
        help: ArgumentHelp(
            "With --undo: the other database is gone for good. Let the app be stored here again.",
            discussion: "The app may have switched before: if the other database comes back, the app is in both."
        )
    )
    var targetIsGone = false

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        if dryRun, undo { throw ValidationError("--dry-run and --undo exclude each other") }
        if targetIsGone, !undo || to != nil {
            throw ValidationError("--target-is-gone belongs to --undo, and takes no --to")
        }
        if !targetIsGone, to == nil { throw ValidationError("--to is required: the address of the other database") }
    }

    func run() async throws {
        if targetIsGone { return try await abandon() }
        do {
            try await move()
        } catch {
            // Whoever reads only why the move failed might leave the app as it is.
            let moves = try? await app.database.withPool { try await $0.withConnection { try MoveState.all(on: $0) } }
            if moves?.contains(where: { $0.app == app.id && $0.state == .barred }) == true {
                StandardError.write(
                    "tributary: the app '\(app.id)' is barred until its move ends, and its events wait in spools: if "
                        + "nobody else moves it, run the command again, or with --undo"
                )
            }
            throw error
        }
    }

    private func move() async throws {
        var target = app.database
        target.url = to
        let record = try await app.database.withPool { from in
            try await target.withPool { [id = app.id] to in
                try await DeletionProgressLine.with { progress in
                    let move = AppMove(of: id, from: from, to: to, progress: progress)
                    if dryRun {
                        return Record(try await move.preview().map { ($0.table, .number(Int64($0.rows))) })
                    }
                    if undo {
                        try await move.undo()
                        return Record([("app", .string(id)), ("state", .string("undone"))])
                    }
                    try Confirmation.ask(
                        "Move the app '\(id)' to the other database? It cannot be taken back once it has switched.",
                        answer: id,
                        yes: yes
                    )
                    let outcome = try await move.run()
                    return Record([
                        ("app", .string(id)), ("state", .string("moved")), ("events", .number(Int64(outcome.events))),
                    ])
                }
            }
        }
        record.print(as: format.form)
    }

    private func abandon() async throws {
        try await app.database.withPool { from in
            try Confirmation.ask(
                "Let the app '\(app.id)' be stored here again, though it may be in the other database?",
                answer: app.id,
                yes: yes
            )
            try await AppMove.abandon(app.id, in: from)
        }
        Record([("app", .string(app.id)), ("state", .string("undone"))]).print(as: format.form)
    }
}
