import ArgumentParser
import InboundLinks
import Reporting
import Settings
import Storage

/// When something is sent, and where to.
struct SendingOptions: ParsableArguments {
    static let targets =
        "mail:ADDRESS, slack:URL, https://… (takes JSON), or file:FOLDER below the daemon's question.folder"

    @Option(help: ArgumentHelp("The time of the day, by the app's clock.", valueName: "hh:mm"))
    var at = "08:00"

    @Option(
        help: ArgumentHelp("Where it is sent: \(targets). May be given several times.", valueName: "target")
    )
    var to: [String] = []

    /// Saves a schedule for each target, and shows it.
    func save(
        _ question: String,
        watch: StoredSchedule.Watch?,
        every: String,
        as content: String,
        shares: Bool = false,
        options: QuestionOptions,
        format: RecordFormat.Form
    ) async throws {
        guard !to.isEmpty else {
            throw CommandFailure(.usage, "--to is required: \(Self.targets); for example --to mail:ann@example.com")
        }
        let settings = try await SendingSettings(SettingsReader(file: options.database.file))
        for target in to { _ = try SendingTarget(target, allowsPrivate: settings.allowsPrivate) }
        let (records, targets) = try await options.database.withPool { pool in
            let app = try await options.app.app(on: pool)
            var records: [Record] = []
            var targets: [SendingTarget] = []
            for target in to {
                let saved = try await ScheduledQuestions(pool: pool).save(
                    .init(
                        question: question,
                        watch: watch,
                        every: every,
                        at: at,
                        format: content,
                        target: target,
                        shares: shares
                    ),
                    of: app
                )
                records.append(saved.schedule.shownRecord(first: saved.first, secret: saved.newSecret))
                targets.append(saved.schedule.target)
            }
            return (records, targets)
        }
        Record.print(records, as: format)
        if settings.mailFrom == nil, targets.contains(where: { if case .mail = $0 { true } else { false } }) {
            StandardError.write("tributary: mail.from is not set here; the daemon needs it to send mail")
        }
        if shares, settings.dashboard == nil {
            StandardError.write("tributary: dashboard.url is not set here; the daemon needs it to send links")
        }
        if settings.folder == nil, targets.contains(where: { if case .folder = $0 { true } else { false } }) {
            StandardError.write("tributary: question.folder is not set here; the daemon needs it to write files")
        }
    }
}

struct ScheduleQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Send a saved question's answer after each day, week or month.",
        discussion: """
            tributaryd sends the answer about the period that has just ended: the day before, the last week from Monday \
            to Sunday, or the last calendar month. A question with a range of its own, such as --from 30d, keeps its \
            length and ends with the period. Scheduling again with the same target changes the schedule. \
            'tributary question runs' lists what was sent. docs/schedules.md says more.

              tributary question schedule by-ref --every week --to mail:ann@example.com
              tributary question schedule by-ref --every week --to mail:ann@example.com --share
              tributary question schedule by-ref --every day --at 07:30 --to slack:URL
              tributary question schedule by-ref --every month:15 --to file:monthly
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "day, week or month; with the day on which it is sent: week:friday, month:15.",
            valueName: "period"
        )
    )
    var every: String

    @OptionGroup var sending: SendingOptions

    @Option(
        name: .customLong("format"),
        help: "csv: mail has the table as text and the CSV attached, a file is CSV. table: text alone.",
        completion: .list(["csv", "table"])
    )
    var content = "csv"

    @Flag(
        help: """
            The link of a mail or a chat leads to a page that is shared for \(ShareStore.daysOfSending) days, for \
            receivers who cannot sign in.
            """
    )
    var share = false

    func run() async throws {
        try await sending.save(
            name,
            watch: nil,
            every: every,
            as: content,
            shares: share,
            options: options,
            format: .text
        )
    }
}

struct UnscheduleQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unschedule",
        abstract: "Send a saved question's answer no more."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name.")
    var name: String

    @Option(help: ArgumentHelp("Only the schedule with this target (default: all).", valueName: "target"))
    var to: String?

    func run() async throws {
        let count = try await options.database.withPool { pool in
            try await ScheduledQuestions(pool: pool).delete(
                name,
                watching: nil,
                target: to,
                of: try await options.app.app(on: pool)
            )
        }
        print(count == 1 ? "one schedule was deleted" : "\(count) schedules were deleted")
    }
}

struct RotateQuestionSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Give an https target a new secret, and print it once. The former one signs too, for a day."
    )

    @OptionGroup var options: QuestionOptions

    @Option(help: ArgumentHelp("The target, as the schedules have it.", valueName: "target"))
    var to: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let secret = try await options.database.withPool { pool in
            try await ScheduledQuestions(pool: pool).rotateSecret(of: to, in: try await options.app.app(on: pool))
        }
        Record([("to", .string(to)), ("secret", .string(secret))]).print(as: format.form)
    }
}
