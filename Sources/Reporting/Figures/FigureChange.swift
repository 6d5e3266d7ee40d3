import InboundLinks
import Time

/// That something which figures count has come, gone or become somebody else's (`sql/figures/select_changes.sql`).
struct FigureChange: Hashable, Sendable {
    enum Kind: String, Sendable {
        case touch
        /// Its coming, going, or being counted or not.
        case install
        case conversion
        case authentication
        case feedPost = "feed_post"
    }

    var kind: Kind
    /// It lies from here …
    var low: Timestamp
    /// … to here, both included.
    var high: Timestamp
}
