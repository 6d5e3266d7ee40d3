/// A story that was posted, or was not. Either the callback as it came in, or what it said.
public struct TributaryFeedPost: Sendable, Equatable {
    /// What became of the post.
    public enum Outcome: String, Sendable, Encodable {
        case posted
        case cancelled
        case failed
        case unconfirmed
    }

    /// Which dialog the person was shown; the default is the feed dialog.
    public enum Dialog: String, Sendable, Encodable {
        case feed
        case share
    }

    /// What the dialog called back with.
    public var callbackURL: String?
    /// Which dialog it was. Default: feed.
    public var dialog: Dialog?
    public var outcome: Outcome?
    /// The post's id; alone it means that it was posted. A post that is told twice is one post.
    public var postID: String?
    /// The post's categories.
    public var refs: [String]
    /// The URL that the story was posted with: joins the story to the people who follow it.
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
