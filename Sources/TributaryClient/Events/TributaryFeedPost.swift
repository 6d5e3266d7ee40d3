/// The result of a dialog for posting a story. Give either its callback URL as received, or the outcome.
public struct TributaryFeedPost: Sendable, Equatable {
    /// The outcome of the post (docs/feed-posts.md, *Outcomes*).
    public enum Outcome: String, Sendable, Encodable {
        case posted
        case cancelled
        case failed
        case unconfirmed
    }

    /// A dialog for posting a story.
    public enum Dialog: String, Sendable, Encodable {
        case feed
        case share
    }

    /// The URL that the dialog called back with.
    public var callbackURL: String?
    /// The dialog that called back. Default: feed.
    public var dialog: Dialog?
    public var outcome: Outcome?
    /// The post's id. An id without an outcome means posted. Two events with the same id count as one post.
    public var postID: String?
    /// The post's refs (categories).
    public var refs: [String]
    /// The URL that the story was posted with. It joins the story to the people who follow it.
    public var link: String?
    public var composer: TributaryComposer?
    public var actionType: String?
    public var objectID: String?
    public var errorCode: Int?
    public var errorMessage: String?

    public init(callbackURL: String, dialog: Dialog? = nil, refs: [String] = [], link: String? = nil) {
        self.callbackURL = callbackURL
        self.dialog = dialog
        self.refs = refs
        self.link = link
    }

    public init(
        outcome: Outcome,
        postID: String? = nil,
        refs: [String] = [],
        link: String? = nil,
        composer: TributaryComposer? = nil
    ) {
        self.outcome = outcome
        self.postID = postID
        self.refs = refs
        self.link = link
        self.composer = composer
    }
}

extension TributaryFeedPost {
    static let fields: [ClientField<TributaryFeedPost>] = [
        ClientField("callback_url", \.callbackURL),
        ClientField("dialog", \.dialog),
        ClientField("outcome", \.outcome),
        ClientField("post_id", \.postID),
        ClientField("ref") { $0.refs.isEmpty ? nil : $0.refs },
        ClientField("link", \.link),
        ClientField("composer", \.composer),
        ClientField("action_type", \.actionType),
        ClientField("object_id", \.objectID),
        ClientField("error_code", \.errorCode),
        ClientField("error_message", \.errorMessage),
    ]
}
