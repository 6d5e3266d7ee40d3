import ArgumentParser
import Reporting
import Storage

struct WatchQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tell when a figure of a saved question changes.",
        discussion: """
            After each day or week, tributaryd compares the figure with the same days of the eight weeks before. It \
            tells once when it differs by more than chance, and once when that is over. False alarms come at most once \
            in a hundred weeks. Without --row, every row is watched. docs/schedules.md says how it decides.

              tributary question watch by-ref --column people --every week --to slack:URL
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(help: "The column: a count, a rate of counts, or value.")
    var column: String

    @Option(help: "The row, by its name, such as total (default: every row).")
    var row: String?

    @Option(
        help: ArgumentHelp("day or week; with the day on which it is told: week:tuesday.", valueName: "period")
    )
    var every: String

    @OptionGroup var sending: SendingOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try await sending.save(
            name,
            watch: .init(column: column, row: row),
            every: every,
            as: "table",
            options: options,
            format: format.form
        )
    }
}

struct UnwatchQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unwatch",
        abstract: "Watch a figure of a saved question no more."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(help: "Only the watch of this column (default: all).")
    var column: String?

    @Option(help: "Only the watch of this row (default: all).")
    var row: String?

    @Option(help: ArgumentHelp("Only the watch with this target (default: all).", valueName: "target"))
    var to: String?

    func run() async throws {
        let count = try await options.database.withPool { pool in
            try await ScheduledQuestions(pool: pool).delete(
                name,
                watching: .init(column: column ?? "", row: row),
                target: to,
                of: try await options.app.app(on: pool)
            )
        }
        print(count == 1 ? "one watch was deleted" : "\(count) watches were deleted")
    }
}
