/// What became of a post (docs/feed-posts.md, *Callbacks*).
package enum PostOutcome: String, CaseIterable, Sendable {
    case posted, cancelled, failed
    /// The share dialog succeeded without an id: nothing tells whether the story was posted.
    case unconfirmed
}
