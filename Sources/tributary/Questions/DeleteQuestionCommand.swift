import ArgumentParser

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

    func run() async throws { try await options.delete(name, yes: yes, as: format.form) }
}
