/// The outcome of a post (docs/feed-posts.md, *Callbacks*).
package enum PostOutcome: String, CaseIterable, Sendable {
    case posted, cancelled, failed
    /// The share dialog succeeded without a post id, so it is unknown whether the story was posted.
    case unconfirmed
}
