import ArgumentParser
import Delivery
import InboundLinks
import Reporting
import Settings
import Storage
import Time
import Webhooks

struct WebhookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Tell your backend to which posts and channels installs or conversions are credited.",
        discussion: """
            tributaryd sends a signed request for each install or conversion, again if its credit moves, and a last \
            one when it is settled: pay rewards then. docs/webhooks.md says more.
            """,
        subcommands: [
            AddWebhookCommand.self, ListWebhooksCommand.self, ShowWebhookCommand.self, PauseWebhookCommand.self,
            ResumeWebhookCommand.self, RotateWebhookSecretCommand.self, DeleteWebhookCommand.self,
            TestWebhookCommand.self, WebhookDeliveriesCommand.self, RetryWebhookCommand.self,
        ]
    )
}

/// A webhook that a command works on.
struct WebhookOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @Argument(help: ArgumentHelp("The webhook's id, as 'tributary webhook list' shows it.", valueName: "id"))
    var id: String

    func withStore<R>(readsOnly: Bool = false, _ body: (WebhookStore) async throws -> R) async throws -> R {
        try await database.withPool(readsOnly: readsOnly) { try await body(WebhookStore(pool: $0)) }
    }
}

extension DatabaseOptions {
    /// Whether webhooks may have addresses of one's own network.
    func allowsPrivateDelivery() async throws -> Bool {
        try await SettingsReader(file: file).toggle("webhook.allow.private")
    }
}

extension Webhook {
    var command: String {
        var event = parameters.first { $0.name == "event" }?.value ?? "conversion"
        var rest: [String] = []
        for (name, value) in parameters {
            switch name {
            case "event": break
            case "goal": event = "conversion:\(value)"
            default: rest.append("\(name)=\(value)")
            }
        }
        return ([event] + rest).joined(separator: " ")
    }

    /// - Parameter showsSecret: only when it is new.
    func record(showsSecret: Bool = false) -> Record {
        Record(
            [
                ("id", .string(id)), ("app_id", .string(appID)), ("url", .string(url)), ("tells", .string(command)),
                ("settle", .string(settle.text)), ("state", .string(pauseReason.map { "paused: \($0)" } ?? "active")),
                ("created_at", .string(createdAt.rfc3339)),
            ] + (showsSecret ? [("secret", .string(secret))] : [])
        )
    }
}

struct AddWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a webhook, and print its secret once.",
        discussion: """
            It tells what is stored from now on.

              tributary webhook add --url https://example.com/h --on conversion:purchase
              tributary webhook add --url https://example.com/h --on install --settle 7d
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "Where to send: https, and a public address.")
    var url: String

    @Option(help: ArgumentHelp("What to tell: install, conversion or conversion:NAME.", valueName: "event"))
    var on: String

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Tell only what touches with a property get credit for, as in 'report attribution'. May be repeated.",
            valueName: "condition"
        )
    )
    var conditions: [String] = []

    @Option(help: "The attribution model: last, first, linear, position or decay.")
    var model = "last"

    @Option(help: "How long before the event a touch may be: at most 90d.")
    var lookback = "7d"

    @Option(help: "How long after an event's receipt its credit is settled: at most 90d.")
    var settle = "3d"

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let settle = try Duration.option("--settle", settle, in: .zero ... .seconds(90 * 86_400), suchAs: "12h or 3d")
        var parameters: [(name: String, value: String)] = [("model", model), ("lookback", lookback)]
        let parts = on.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("install", 1), ("conversion", 1): parameters.append(("event", parts[0]))
        case ("conversion", 2) where !parts[1].isEmpty:
            parameters += [("event", "conversion"), ("goal", parts[1])]
        default:
            throw CommandFailure(.usage, "--on takes install, conversion or conversion:NAME, not '\(on)'")
        }
        parameters += conditions.map { ("where", $0) }
        let allowsPrivate = try await database.allowsPrivateDelivery()
        let destination: Destination
        do {
            destination = try Destination(url, allowsPrivate: allowsPrivate)
        } catch {
            throw CommandFailure(.usage, "--url: \(error)")
        }
        switch try? await DeliveryClient.isPublic(destination) {
        case false where !allowsPrivate:
            throw CommandFailure(
                .usage,
                "--url: the host's address is not public; the setting webhook.allow.private allows it"
            )
        case nil: StandardError.write("tributary: warning: --url: the host's name is unknown here")
        default: break
        }
        let webhook = try await database.withPool { pool in
            let app = try await app.app(on: pool)
            let question = try CreditQuestion(parameters: parameters, app: app)
            return try await WebhookStore(pool: pool).add(
                to: destination,
                parameters: question.effective,
                settle: settle,
                of: app
            )
        }
        webhook.record(showsSecret: true).print(as: format.form)
        StandardError.write("keep the secret: it is not shown again; 'tributary webhook test \(webhook.id)' tries it")
    }
}

struct ListWebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's webhooks.")

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let webhooks = try await database.withPool(readsOnly: true) { pool in
            try await WebhookStore(pool: pool).list(of: try await app.app(on: pool))
        }
        Record.print(
            webhooks,
            as: format.form,
            row: { [$0.id, $0.pauseReason == nil ? "active" : "paused", $0.command, $0.url] },
            record: { $0.record() }
        )
        if webhooks.isEmpty { StandardError.write("the app has no webhooks; 'tributary webhook add' adds one") }
    }
}

struct ShowWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a webhook, without its secret."
    )

    @OptionGroup var options: WebhookOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try await options.withStore(readsOnly: true) { try await $0.webhook(options.id).webhook.record() }
            .print(as: format.form)
    }
}

struct PauseWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Send nothing until the webhook is resumed. What happens meanwhile is told then."
    )

    @OptionGroup var options: WebhookOptions

    func run() async throws {
        try await options.withStore { try await $0.pause(options.id, because: "by 'tributary webhook pause'") }
    }
}

struct ResumeWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Go on with a paused webhook.")

    @OptionGroup var options: WebhookOptions

    func run() async throws { try await options.withStore { try await $0.resume(options.id) } }
}

struct RotateWebhookSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Give a webhook a new secret, and print it once. The former one signs too, for a day."
    )

    @OptionGroup var options: WebhookOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try await options.withStore { try await $0.rotateSecret(of: options.id).record(showsSecret: true) }
            .print(as: format.form)
    }
}

struct DeleteWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a webhook, with the words that wait."
    )

    @OptionGroup var options: WebhookOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        try await options.withStore { store in
            let (webhook, _) = try await store.webhook(options.id)
            try Confirmation.ask("Delete the webhook to \(webhook.url)?", answer: "yes", yes: yes)
            try await store.delete(options.id)
        }
    }
}

struct TestWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a signed request of the type webhook.test now, and say what the receiver answered."
    )

    @OptionGroup var options: WebhookOptions

    func run() async throws {
        let allowsPrivate = try await options.database.allowsPrivateDelivery()
        let outcome = try await options.database.withPool { pool in
            let webhook = try await WebhookStore(pool: pool).webhook(options.id).webhook
            let client = DeliveryClient(
                allowsPrivate: allowsPrivate,
                userAgent: "Tributary/\(TributaryVersion.current)"
            )
            let outcome = await WebhookSender(pool: pool, client: client, allowsPrivate: allowsPrivate).test(webhook)
            await client.shutdown()
            return outcome
        }
        switch outcome {
        case .answered(let status, let excerpt, _) where 200...299 ~= status:
            print("the receiver answered \(status)\(excerpt.isEmpty ? "" : ": \(excerpt)")")
        case .answered(let status, let excerpt, _):
            throw CommandFailure(
                .badData,
                "the receiver answered \(status)\(excerpt.isEmpty ? "" : ": \(excerpt)"); 2xx was expected"
            )
        case .unanswered(let reason):
            throw CommandFailure(.badData, "the receiver did not answer: \(reason)")
        }
    }
}

struct WebhookDeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List the words that wait to be delivered or were given up, the earliest first."
    )

    @OptionGroup var options: WebhookOptions

    @Flag(help: "Only those that an attempt failed for.")
    var failed = false

    @Option(help: "The most to list.")
    var limit = 100

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try (1...1_000_000).check(limit, of: "--limit")
        let words = try await options.withStore(readsOnly: true) {
            try await $0.waiting(of: options.id, failed: failed, limit: limit)
        }
        Record.print(words, as: format.form) { word in
            [
                "\(word.number)", word.type, word.eventID, "\(word.attempts) attempts",
                word.nextAttemptAt.map { "next \($0.rfc3339)" } ?? "given up", word.lastError ?? "",
            ]
        } record: { word in
            Record([
                ("number", .number(word.number)), ("type", .string(word.type)), ("event_id", .string(word.eventID)),
                ("created_at", .string(word.createdAt.rfc3339)), ("attempts", .number(Int64(word.attempts))),
                ("next_attempt_at", .optional(word.nextAttemptAt?.rfc3339)),
                ("given_up_at", .optional(word.diedAt?.rfc3339)), ("last_error", .optional(word.lastError)),
            ])
        }
        if words.isEmpty { StandardError.write(failed ? "no word failed" : "no word waits") }
    }
}

struct RetryWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Send words that failed or were given up again, from now on as if for the first time."
    )

    @OptionGroup var options: WebhookOptions

    @Option(help: "Only the word of this number, as 'tributary webhook deliveries' lists it.")
    var number: Int64?

    func run() async throws {
        let count = try await options.withStore { try await $0.retry(options.id, number: number) }
        print("\(count.named("word")) will be sent again")
    }
}
