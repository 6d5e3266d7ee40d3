/// The content of a feed-post callback (docs/feed-posts.md, *Callbacks*). Tokens are redacted in every field.
package struct FeedPostReading: Equatable, Sendable {
    /// Whether a callback is about a post.
    package enum Kind: String, Sendable {
        case feedPost = "feed_post"
        case notAFeedPost = "not_a_feed_post"
        case invalid
    }

    /// The dialog that called back. The results of the two differ in form.
    package enum Dialog: String, CaseIterable, Sendable {
        case feed, share
    }

    package var kind: Kind
    /// Set if `kind` is `feedPost`.
    package var outcome: PostOutcome?
    /// Set if `outcome` is `posted`. Opaque.
    package var postID: String?
    /// The error code if it is a number, even 0.
    package var errorCode: Int64?
    package var errorMessage: String?
    package var redactedURL: String
}
