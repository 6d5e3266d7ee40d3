import Cryptography
package import Events
package import InboundLinks
package import Time

/// An event as reports see it: fixed width, no text. Fields that a report did not ask for (see `TimelineQuery`) are
/// `none`.
///
/// Every report moves every event, so the stored properties fill two lines of a processor's cache: those of 8 bytes
/// first, no optional among them.
package struct TimelineEvent: Equatable, Sendable {
    package var occurredAt: Timestamp
    package var id: EventID
    private var storedClickedAt = Timestamp(microseconds: .min)
    private var storedTappedTarget: Int64 = 0
    private var storedOpenedClick = EventID(high: 0, low: 0)
    /// Of a conversion, in millionths of `currency`.
    package var value: Int64 = 0

    package var appVersion = Code.none
    package var country = Code.none
    package var language = Code.none
    /// What the event says of declared properties: see ``TimelineDictionary/property(_:of:)``.
    package var properties = Code.none
    /// Of a touch: a list of the dictionary's `refLists`, after the story join. Feed posts have it, too.
    package var refs = Code.none
    package var referer = Code.none
    package var target = Code.none
    /// The target of the click on a short link that an open came from: the open's page, whatever the app calls it.
    package var clickTarget = Code.none
    /// The short link of the app that the touch came through, as `host/slug`.
    package var shortLink = Code.none
    /// The post that the event came from, by the story join: a code of the dictionary's `storyPosts`. A touch that
    /// carries a `post_id` came from that post even if it has refs of its own.
    package var storyPost = Code.none
    /// Of a conversion.
    package var goal = Code.none
    package var currency = Code.none

    package var type: EventType
    package var platform: Platform?
    package var sentBy = EventSender.server

    // Touches: inbound links, link clicks, and installs that came with their link.
    /// Set for touches only.
    package var channel: Channel?
    package var authenticated = false
    package var deferred = false
    /// The form of the link.
    package var form: InboundLink.Form?
    /// Whether the link came from an ad.
    package var paid = false
    /// How it came to its refs, or would if its post had some. Nil if it has none and no post can give it any.
    package var refOrigin: RefOrigin?
    /// Whether the touch came through a short link of the app.
    package var hasShortLink = false
    private var hasOpenedClick = false

    /// Of an install: whether the click in its referrer was after the download had begun.
    package var isInjected = false
    /// Of a feed post.
    package var outcome: PostOutcome?
    package var composer: Composer?
    /// Of an authentication.
    package var login = LoginOutcome.granted

    package init(occurredAt: Timestamp, id: EventID, type: EventType) {
        self.occurredAt = occurredAt
        self.id = id
        self.type = type
    }

    /// Room for events that are read in place.
    static let blank = TimelineEvent(
        occurredAt: Timestamp(microseconds: 0),
        id: EventID(high: 0, low: 0),
        type: .inboundLink
    )

    /// How the touch came to its refs; nil without refs.
    @inline(__always)
    package var refFrom: RefOrigin? { refs.isNone ? nil : refOrigin }

    /// When the link was tapped; nil if it does not say.
    @inline(__always)
    package var clickedAt: Timestamp? {
        get { storedClickedAt.microseconds == .min ? nil : storedClickedAt }
        set { storedClickedAt = newValue ?? Timestamp(microseconds: .min) }
    }

    /// The target of a deferred link that itself says when it was tapped, as a number: opens of one person with the
    /// same `clickedAt` and the same number tell of one tap. Nil, or 0, if the sender stated the time, and for other
    /// links.
    @inline(__always)
    package var tappedTarget: Int64? {
        get { storedTappedTarget == 0 ? nil : storedTappedTarget }
        set { storedTappedTarget = newValue ?? 0 }
    }

    /// The click that the event names: its `click_id`, if it is the id of another event. If it is an inbound link, it
    /// came from there.
    @inline(__always)
    package var openedClick: EventID? {
        get { hasOpenedClick ? storedOpenedClick : nil }
        set {
            hasOpenedClick = newValue != nil
            storedOpenedClick = newValue ?? EventID(high: 0, low: 0)
        }
    }

    /// The number of a target: one for all spellings of an address (``StoryLink``).
    static func tappedTarget(_ url: String) -> Int64 {
        SHA256.hash(StoryLink.normalised(url).utf8).withUnsafeBytes {
            Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
        }
    }
}
