import ArgumentParser
import Reporting

struct DeleteQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a saved question, whose address then answers 404, or a board. It can be restored for 30 days."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The name of the question or board.")
    var name: String

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let record = try await options.withQuestions { questions, app, _ in
            let question = try await questions.required(name, of: app)
            try Confirmation.ask(
                "Delete the \(question.isBoard ? "board" : "question") '\(name)'?",
                answer: "yes",
                yes: yes
            )
            try await questions.delete(name, of: app)
            return question.record(in: app)
        }
        record.print(as: format.form)
        StandardError.write("'tributary question restore \(name)' restores it, for 30 days")
    }
}
