import ArgumentParser
import Reporting

struct ListQuestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's saved questions.")

    @OptionGroup var options: QuestionOptions

    @Option(help: "The form of the output.")
    var format: RecordFormat = .text

    func run() async throws {
        let questions = try await options.withQuestions { questions, app, _ in try await questions.list(of: app) }
        switch format {
        case .text: print(TextTable.text(questions.map { [$0.name, $0.command] }), terminator: "")
        case .json: Record.print(questions.map(\.shownRecord), as: .json)
        }
        if questions.isEmpty {
            StandardError.write("there are no saved questions; 'tributary question save' saves one")
        }
    }
}
