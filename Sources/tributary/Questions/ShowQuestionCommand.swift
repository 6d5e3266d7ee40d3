import ArgumentParser
import Reporting

struct ShowQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a saved question: its report, its parameters, its addresses and when it is sent."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let record = try await options.withQuestions { questions, app, pool in
            let question = try await questions.required(name, of: app)
            let schedules = try await ScheduledQuestions(pool: pool).list(of: app, question: question.name)
            return question.record(in: app, sending: schedules)
        }
        record.print(as: format.form)
    }
}
