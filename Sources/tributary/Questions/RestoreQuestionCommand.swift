import ArgumentParser
import Reporting

struct RestoreQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a saved question that was deleted in the last 30 days.",
        discussion: """
            'tributary question list --deleted' lists them. If several of the same name were deleted, the last one is \
            restored, or the one with --number. If there is another question of this name, nothing is restored.

              tributary question restore by-ref --app shop
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(help: "Which question of this name, as 'question list --deleted' numbers them (default: deleted last).")
    var number: Int64?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let record = try await options.withQuestions { questions, app, _ in
            try await questions.restore(name, number: number, of: app).record(in: app)
        }
        record.print(as: format.form)
    }
}
