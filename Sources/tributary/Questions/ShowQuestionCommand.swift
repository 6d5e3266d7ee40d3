import ArgumentParser
import Reporting

struct ShowQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a saved question: its report, its parameters and its addresses."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(help: "The form of the output.")
    var format: RecordFormat = .text

    func run() async throws {
        let question = try await options.withQuestions { questions, app, _ in
            try await questions.required(name, of: app)
        }
        question.shownRecord.print(as: format)
    }
}
