import Cryptography
package import Events
package import InboundLinks
package import Time

/// An event as reports see it: fixed width, no text. Fields that a report did not ask for (see `TimelineQuery`) are
/// `none`.
package struct TimelineEvent: Equatable, Sendable {
    package var occurredAt: Timestamp
    package var id: EventID
    package var type: EventType
    package var platform: Platform?
    package var appVersion = Code.none
    package var country = Code.none
    package var language = Code.none
    package var sentBy = EventSender.server
    /// What the event says of declared properties: see ``TimelineDictionary/property(_:of:)``.
    package var properties = Code.none

    // Touches: inbound links, link clicks, and installs that came with their link.
    /// Set for touches only.
    package var channel: Channel?
    package var authenticated = false
    package var deferred = false
    /// Set if the link says when it was tapped.
    package var clickedAt: Timestamp?
    /// The target of a deferred link that itself says when it was tapped, as a number: opens of one person with the
    /// same `clickedAt` and the same number tell of one tap. Nil if the sender stated the time, and for other links.
    package var tappedTarget: Int64?
    /// A list of the dictionary's `refLists`, after the story join. Feed posts have it, too.
    package var refs = Code.none
    /// The form of the link.
    package var form: InboundLink.Form?
    /// Whether the link came from an ad.
    package var paid = false
    package var referer = Code.none
    package var target = Code.none
    /// The target of the click on a short link that an open came from: the open's page, whatever the app calls it.
    package var clickTarget = Code.none
    /// Whether the touch came through a short link of the app.
    package var hasShortLink = false
    /// This short link, as `host/slug`.
    package var shortLink = Code.none
    /// The click that the event names: its `click_id`, if it is the id of another event. If it is an inbound link, it
    /// came from there.
    package var openedClick: EventID?
    /// The post that the event came from, by the story join: a code of the dictionary's `storyPosts`. A touch that
    /// carries a `post_id` came from that post even if it has refs of its own.
    package var storyPost = Code.none

    // Installs.
    /// Whether the click in the install's referrer was after the download had begun.
    package var isInjected = false

    // Feed posts.
    package var outcome: PostOutcome?
    package var composer: Composer?

    // Authentications.
    package var login = LoginOutcome.granted

    // Conversions.
    package var goal = Code.none
    /// Millionths of `currency`.
    package var value: Int64 = 0
    package var currency = Code.none

    package init(occurredAt: Timestamp, id: EventID, type: EventType) {
        self.occurredAt = occurredAt
        self.id = id
        self.type = type
    }

    /// The number of a target: one for all spellings of an address (``StoryLink``).
    static func tappedTarget(_ url: String) -> Int64 {
        SHA256.hash(StoryLink.normalised(url).utf8).withUnsafeBytes {
            Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
        }
    }
}
