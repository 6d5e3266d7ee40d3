/// How a touch came to its refs (docs/links.md, *Where a ref comes from*).
package enum RefOrigin: String, CaseIterable, Sendable {
    /// The link, a rule of the app or the sender named them.
    case link
    /// The post with the touch's `post_id` has them.
    case post
    /// The latest post with the same URL has them.
    case url
    /// The app's short link that the touch came through has them.
    case shortLink = "short_link"
}
