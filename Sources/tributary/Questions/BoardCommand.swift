import ArgumentParser
import Postgres
import Reporting
import Storage
import Time

struct BoardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Put saved questions on one page, in an order of your own, with a range for all.",
        discussion: """
            A board is scheduled, sent and restored as a question is: 'tributary question schedule BOARD' sends it. The \
            dashboard shows it under Saved, with a picture of each question. 'tributary question share BOARD' shows it to \
            anyone who has the address. docs/questions.md says more.

              tributary board save monday by-ref logins --app shop --from 30days
              tributary board show monday --app shop
              tributary question schedule monday --every week --to mail:ann@example.com
            """,
        subcommands: [
            SaveBoardCommand.self, ListBoardsCommand.self, ShowBoardCommand.self, DeleteBoardCommand.self,
        ]
    )
}

struct SaveBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save a board of questions that are saved.",
        discussion: """
            The range is for all questions, in the app's days, whatever range they have themselves. It is read each time: \
            --from 30days is always the last thirty days, which it also is without a range.

              tributary board save monday by-ref logins --app shop
              tributary board save monday by-ref logins --from last-week --to monday
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The board's name: \(QuestionName.rule).")
    var name: String

    @Argument(
        help: ArgumentHelp(
            "The names of its questions in their order, \(SavedQuestion.memberLimit) at most.",
            valueName: "question"
        )
    )
    var questions: [String]

    @Option(help: ArgumentHelp("The first day: 30days, last-week, this-month, 2026-11-01.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("The day after the last one, or now (default: now).", valueName: "day"))
    var to: String?

    @Flag(help: "Replace a board of this name.")
    var replace = false

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let record = try await options.database.withPool { pool in
            let app = try await options.app.app(on: pool)
            let range = [("from", from), ("to", to)].compactMap { name, value in value.map { (name: name, value: $0) } }
            let board = try await SavedQuestions(pool: pool).save(
                name,
                report: SavedQuestion.boardReport,
                parameters: questions.map { (SavedQuestion.memberField, $0) } + range,
                of: app,
                replacing: replace
            )
            return board.record(in: app)
        }
        record.print(as: format.form)
    }
}

struct ListBoardsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's boards.")

    @OptionGroup var options: QuestionOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let boards = try await options.withQuestions { questions, app, _ in
            try await questions.all(of: app).filter(\.isBoard).map { ($0, $0.record(in: app)) }
        }
        Record.print(boards, as: format.form, row: { [$0.0.name, $0.0.members.joined(separator: ", ")] }, record: \.1)
        if boards.isEmpty { StandardError.write("there are no boards; 'tributary board save' saves one") }
    }
}

struct ShowBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a board: the answer to each of its questions.",
        discussion: """
            --format json has each report as JSON. For CSV, run the questions.

              tributary board show monday --app shop
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The board's name.")
    var name: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let now = Timestamp.now
        let (board, parts) = try await options.withQuestions { questions, app, pool in
            let board = try await questions.required(name, of: app)
            try board.checkIsBoard()
            let answers = try await AnsweredPart.answers(
                to: board.parts(among: try await questions.list(of: app)),
                asking: { [try $0.request(origin: .http, app: app, now: now)] },
                run: { try await ReportRunner.run($0, on: pool, connections: pool.size) }
            )
            return (board, answers)
        }
        switch format.form {
        case .json: StandardOutput.print("{\"board\": \"\(board.name)\", \"questions\": \(parts.json)}")
        case .text: StandardOutput.print(parts.map { "\($0.name)\n\($0.text(isCut: false))" }.joined(separator: "\n"))
        }
    }
}

struct DeleteBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a board; its questions stay. It can be restored for 30 days."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The board's name.")
    var name: String

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        try await options.delete(name, yes: yes, as: format.form) { try $0.checkIsBoard() }
    }
}
