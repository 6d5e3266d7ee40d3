import ArgumentParser
import Reporting
import Storage
import Time

struct ListQuestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's saved questions.")

    @OptionGroup var options: QuestionOptions

    @Flag(help: "List the questions that were deleted in the last 30 days and can be restored.")
    var deleted = false

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let (questions, app) = try await options.withQuestions { questions, app, _ in
            (try await deleted ? questions.deleted(of: app) : questions.list(of: app), app)
        }
        Record.print(
            questions,
            as: format.form,
            row: { question in
                [question.name]
                    + (question.deletion.map { ["number \($0.number)", "deleted \($0.at.rfc3339)"] } ?? [])
                    + [question.command(in: app)]
            },
            record: { $0.record(in: app) }
        )
        if questions.isEmpty {
            StandardError.write(
                deleted
                    ? "no question was deleted in the last 30 days"
                    : "there are no saved questions; 'tributary question save' saves one"
            )
        }
    }
}
