import Events
import InboundLinks
import Time

/// An event as reports see it: fixed width, no text. What a report did not ask for (see `TimelineQuery`) is `none`.
struct TimelineEvent: Equatable, Sendable {
    var occurredAt: Timestamp
    var id: EventID
    var type: EventType
    var platform: Platform?

    // Touches: inbound links, link clicks, and installs that came with their link.
    /// Set for touches only.
    var channel: Channel?
    var authenticated = false
    var deferred = false
    /// Set where the link says when it was tapped.
    var clickedAt: Timestamp?
    /// A list of the dictionary's `refLists`; after the story join. Of feed posts too.
    var refs = Code.none
    var referer = Code.none
    var target = Code.none
    /// The post that it came from, by the story join: a code of the dictionary's `storyPosts`. A touch that carries a
    /// `post_id` came from that post also where it has refs of its own.
    var storyPost = Code.none

    // Feed posts.
    var outcome: PostOutcome?
    var composer: Composer?

    // Conversions.
    var goal = Code.none
    /// Millionths of `currency`.
    var value: Int64 = 0
    var currency = Code.none

    init(occurredAt: Timestamp, id: EventID, type: EventType) {
        self.occurredAt = occurredAt
        self.id = id
        self.type = type
    }
}
