import ArgumentParser
import InboundLinks
import Reporting
import Storage
import Time

struct ShareQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Show a saved question or a board to anyone who has a secret address, for some days.",
        discussion: """
            The page shows this question or board alone, as it is at that moment, without filters. \
            What lists people cannot be shared. The address is printed once. 'tributary question shares' lists what is shared, \
            'tributary question unshare' ends it.

              tributary question share by-ref --app shop --days 30
              tributary question unshare 1 --app shop
            """
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The name of the question or board.")
    var name: String

    @Option(help: "For how many days, \(ShareStore.days.lowerBound) to \(ShareStore.days.upperBound).")
    var days = 30

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let address = try await DashboardAddress(options.database)
        let (page, secret) = try await options.withQuestions { questions, app, pool in
            // Says which name was likely meant.
            let question = try await questions.required(name, of: app)
            if let refusal = question.sharingRefusal(among: try await questions.list(of: app)) {
                throw CommandFailure(.usage, refusal)
            }
            return try await ShareStore(pool: pool).share(name, of: app, days: days)
        }
        Record([
            ("number", .number(page.number)), ("question", .string(page.question)),
            ("address", .string(address.page("/shared/\(secret)"))), ("expires_at", .string(page.expiresAt.rfc3339)),
        ]).print(as: format.form)
        address.remark()
    }
}

struct ListSharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "List the questions and boards that are shared, and those whose sharing ended in the last 30 days.",
        discussion: "  tributary question shares --app shop"
    )

    @OptionGroup var options: QuestionOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let pages = try await options.withQuestions { _, app, pool in try await ShareStore(pool: pool).pages(of: app) }
        let now = Timestamp.now
        Record.print(
            pages,
            as: format.form,
            row: { ["number \($0.number)", $0.question, state(of: $0, now), "by \($0.createdBy)"] },
            record: {
                Record([
                    ("number", .number($0.number)), ("question", .string($0.question)),
                    ("created_at", .string($0.createdAt.rfc3339)), ("created_by", .string($0.createdBy)),
                    ("expires_at", .string($0.expiresAt.rfc3339)), ("revoked_at", .optional($0.revokedAt?.rfc3339)),
                ])
            }
        )
        if pages.isEmpty { StandardError.write("nothing is shared; 'tributary question share' shares a question") }
    }

    private func state(of page: SharedPage, _ now: Timestamp) -> String {
        if let revokedAt = page.revokedAt { return "revoked \(revokedAt.rfc3339)" }
        return "\(page.expiresAt > now ? "until" : "expired") \(page.expiresAt.rfc3339)"
    }
}

struct UnshareQuestionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unshare",
        abstract: "Share a page no more: its address answers nothing from now on.",
        discussion: "  tributary question unshare 1 --app shop"
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "Its number, as 'tributary question shares' shows it.")
    var number: Int64

    func run() async throws {
        let isRevoked = try await options.withQuestions { _, app, pool in
            try await ShareStore(pool: pool).revoke(number, of: app)
        }
        guard isRevoked else {
            throw CommandFailure(
                .usage,
                "the app shares no page of the number \(number); 'tributary question shares' lists them"
            )
        }
        print("the page \(number) is shared no more")
    }
}
