/// What a feed-post callback says (DOMAIN.md section 4), tokens already redacted in every field.
package struct FeedPostReading: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case feedPost = "feed_post"
        case notAFeedPost = "not_a_feed_post"
        case invalid
    }

    package enum Dialog: String, CaseIterable, Sendable {
        case feed, share
    }

    package var kind: Kind
    /// Set where `kind` is `feedPost`.
    package var outcome: PostOutcome?
    package var postID: String?
    package var errorCode: Int64?
    package var errorMessage: String?
    package var redactedURL: String
}
