import InboundLinks
import Time

/// Something that figures count was added or removed, or belongs to another person now
/// (`sql/figures/select_changes.sql`).
struct FigureChange: Hashable, Sendable {
    enum Kind: String, Sendable {
        case touch
        /// The install was added or removed, or its counting has changed.
        case install
        case conversion
        case authentication
        case feedPost = "feed_post"
        case appOpen = "app_open"
    }

    var kind: Kind
    /// The earliest time that it may have.
    var low: Timestamp
    /// The latest time that it may have, included.
    var high: Timestamp
}
