package import InboundLinks

/// The result of asking a person to post a story (docs/feed-posts.md).
package struct FeedPost: Equatable, Sendable {
    package var outcome: PostOutcome
    package var postID: String?
    package var refs: [String]
    /// The URL that the story was posted with, redacted.
    package var link: String?
    /// `link` as the story join compares it (docs/links.md, *The story join*).
    package var storyLink: String?
    package var composer: Composer?
    package var actionType: String?
    package var objectID: String?
    package var errorCode: Int64?
    package var errorMessage: String?
    /// The raw callback, redacted.
    package var redactedCallback: String?

    package init(
        outcome: PostOutcome,
        postID: String? = nil,
        refs: [String] = [],
        link: String? = nil,
        storyLink: String? = nil,
        composer: Composer? = nil,
        actionType: String? = nil,
        objectID: String? = nil,
        errorCode: Int64? = nil,
        errorMessage: String? = nil,
        redactedCallback: String? = nil
    ) {
        self.outcome = outcome
        self.postID = postID
        self.refs = refs
        self.link = link
        self.storyLink = storyLink
        self.composer = composer
        self.actionType = actionType
        self.objectID = objectID
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.redactedCallback = redactedCallback
    }
}
