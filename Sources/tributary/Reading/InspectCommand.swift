import ArgumentParser
import InboundLinks
import Storage

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show how a link, or with --post a feed-post callback, is read.",
        discussion: """
            Prints a JSON object. Nothing is sent or stored, and tokens are shown as REDACTED. Put the link in single \
            quotes, so that the shell leaves & and # alone:
              tributary inspect 'fb123://authorize#target_url=http%3A%2F%2Fexample.com%2F'
              tributary inspect --post 'fbconnect://success?post_id=100_200'

            With --app, the link is read by the rules of that app too; with --rules, by those of a file, to try them:
              tributary inspect --rules rules.yaml 'https://a.example/?utm_source=news'
            """
    )

    @Argument(help: "The link or callback.")
    var url: String

    @Flag(help: "Read it as the callback of a feed post.")
    var post = false

    @Option(help: "Which dialog the post came from.")
    var dialog: FeedPostReading.Dialog = .feed

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Read the link by the rules of this app too.", completion: AppIDs.completion)
    var app: String?

    @Option(
        help: ArgumentHelp("Read the link by the rules of this YAML file too.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var rules: String?

    func validate() throws {
        if app != nil, rules != nil { throw ValidationError("--app and --rules both give the rules; choose one") }
        if post, app != nil || rules != nil { throw ValidationError("rules are for links, not for --post") }
    }

    func run() async throws {
        let fields =
            post
            ? FeedPostReader.read(url, dialog: dialog).inspection
            : LinkReader.read(url, rules: try await readingRules()).inspection
        print(InspectionValue.object(fields))
    }

    private func readingRules() async throws -> ReadingRules {
        if let rules {
            let yaml = try YAMLFile.text(rules, of: "rules", limit: ReadingRules.byteLimit)
            return try ReadingRules(yaml: yaml, name: rules)
        }
        guard let app else { return .none }
        return try await database.withPool(readsOnly: true) { pool in
            let store = AppStore(pool: pool)
            return try await store.rules(of: store.app(id: app), decrypting: false)
        }
    }
}

extension FeedPostReading.Dialog: ExpressibleByArgument {}
