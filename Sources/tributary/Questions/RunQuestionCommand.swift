import ArgumentParser
import Reporting
import Time

struct RunQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a saved question: make its report.",
        discussion: """
              tributary question run by-ref --app shop
              tributary question run by-ref --app shop --format csv --output by-ref.csv
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(
        help: "table, csv or json (default: table on a terminal, otherwise csv).",
        completion: .list(ReportFormat.allCases.map(\.rawValue))
    )
    var format: String?

    @Option(help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"), completion: .file())
    var output: String?

    func run() async throws {
        let now = Timestamp.now
        let written = [("format", format), ("output", output)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        try await options.withQuestions { questions, app, pool in
            let question = try await questions.required(name, of: app)
            let request = try question.request(origin: .commandLine, app: app, now: now, adding: written)
            try await ReportCommand.answer(request, on: pool)
        }
    }
}
