/// What a feed-post callback says (docs/feed-posts.md, *Callbacks*), tokens already redacted in every field.
package struct FeedPostReading: Equatable, Sendable {
    /// Whether a callback tells of a post at all.
    package enum Kind: String, Sendable {
        case feedPost = "feed_post"
        case notAFeedPost = "not_a_feed_post"
        case invalid
    }

    /// Which dialog called back; their results differ in form.
    package enum Dialog: String, CaseIterable, Sendable {
        case feed, share
    }

    package var kind: Kind
    /// Set where `kind` is `feedPost`.
    package var outcome: PostOutcome?
    /// Set where `outcome` is `posted`. Opaque.
    package var postID: String?
    /// Any code that is a number, also 0.
    package var errorCode: Int64?
    package var errorMessage: String?
    package var redactedURL: String

    package init(
        kind: Kind,
        outcome: PostOutcome? = nil,
        postID: String? = nil,
        errorCode: Int64? = nil,
        errorMessage: String? = nil,
        redactedURL: String
    ) {
        self.kind = kind
        self.outcome = outcome
        self.postID = postID
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.redactedURL = redactedURL
    }
}
