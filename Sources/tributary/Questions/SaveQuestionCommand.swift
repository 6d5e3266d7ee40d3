import ArgumentParser
import Reporting
import Settings
import Storage
import Time

struct SaveQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save a report with its parameters under a name.",
        discussion: """
            The parameters are checked now. A range such as --from 7days is read at each run: it is always the last \
            seven days.

              tributary question save by-ref --app shop -- report funnel --by ref --from 7d
              tributary question save by-ref --app shop --replace -- report refs --by week
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name: \(QuestionName.rule).")
    var name: String

    @Flag(help: "Replace a question of this name.")
    var replace = false

    @OptionGroup var format: RecordFormat

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("After --: the report as on the command line, 'report NAME …'.", valueName: "report")
    )
    var command: [String] = []

    func run() async throws {
        guard command.first == "report", command.count > 1 else {
            throw CommandFailure(
                .usage,
                "the report is missing; write it after --, for example: tributary question save "
                    + "\(QuestionName(name)?.text ?? "by-ref") -- report funnel --by ref"
            )
        }
        let report = try await ReportCommand.asyncParse(NegativeNumber.joined(Array(command.dropFirst())))
        guard report.database.url == nil, report.database.file == nil else {
            throw CommandFailure(.usage, "--database and --config are not saved; write them before --")
        }
        if let inner = report.app.id, let outer = options.app.id, inner != outer {
            throw CommandFailure(.usage, "--app is given twice, as '\(outer)' and as '\(inner)'")
        }
        try ReportCatalogue.check(report.name)
        let record = try await options.database.withPool { pool in
            let app = try await AppStore(pool: pool).app(named: options.app.id ?? report.app.id)
            let question = try await SavedQuestions(pool: pool).save(
                name,
                report: report.name,
                parameters: report.parameters,
                of: app,
                replacing: replace,
                now: .now
            )
            return question.record(in: app)
        }
        record.print(as: format.form)
    }
}
