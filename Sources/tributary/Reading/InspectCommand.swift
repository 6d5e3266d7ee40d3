import ArgumentParser
import InboundLinks

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show how a link, or with --post a feed-post callback, is read.",
        discussion: """
            Prints a JSON object. Nothing is sent or stored, and tokens are shown as REDACTED. Put the link in single \
            quotes, so that the shell leaves & and # alone:
              tributary inspect 'fb123://authorize#target_url=http%3A%2F%2Fexample.com%2F'
              tributary inspect --post 'fbconnect://success?post_id=100_200'
            """
    )

    @Argument(help: "The link or callback.")
    var url: String

    @Flag(help: "Read it as the callback of a feed post.")
    var post = false

    @Option(help: "Which dialog the post came from.")
    var dialog: FeedPostReading.Dialog = .feed

    func run() throws {
        let fields =
            post
            ? FeedPostReader.read(url, dialog: dialog).inspection
            : LinkReader.read(url).inspection
        print(InspectionValue.object(fields))
    }
}

extension FeedPostReading.Dialog: ExpressibleByArgument {}
