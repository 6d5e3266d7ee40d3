import Events
@testable import InboundLinks
import Time

/// Events for hand-written examples. Times are seconds after 2026-01-05T00:00:00Z, a Monday; ids are small numbers.
enum OracleEvents {
    static func time(_ seconds: Double) -> Timestamp {
        RandomStream.monday.advanced(by: .microseconds(Int64((seconds * 1_000_000).rounded())))
    }

    static func event(
        _ number: UInt64,
        at seconds: Double,
        user: String? = nil,
        device: String? = nil,
        click: String? = nil,
        platform: Platform? = nil,
        _ content: Event.Content
    ) -> Event {
        Event(
            id: EventID(high: 0, low: number),
            occurredAt: time(seconds),
            receivedAt: time(seconds),
            userID: user,
            deviceID: device,
            clickID: click,
            platform: platform,
            properties: nil,
            content: content
        )
    }

    static func touch(
        _ channel: Channel = .storyLinks,
        refs: [String] = [],
        authenticated: Bool = false,
        deferred: Bool = false,
        clickedAt: Double? = nil,
        test: Bool = false,
        postID: String? = nil,
        storyLink: String? = nil
    ) -> Touch {
        var link = InboundLink()
        link.channel = channel
        link.refs = refs
        link.authenticated = authenticated
        link.deferred = deferred
        link.clickedAt = clickedAt.map(time)
        link.testTraffic = test
        return Touch(link: link, postID: postID, storyLink: storyLink)
    }

    static func conversion(_ name: String = "buy", _ millionths: Int64? = nil, _ currency: String = "USD")
        -> Event.Content
    {
        .conversion(
            Conversion(
                name: name,
                value: millionths.map { DecimalValue(millionths: $0) },
                currency: millionths.map { _ in currency }
            )
        )
    }

    static func post(
        _ outcome: PostOutcome = .posted,
        refs: [String] = [],
        postID: String? = nil,
        link: String? = nil,
        composer: Composer? = nil
    ) -> Event.Content {
        .feedPost(
            FeedPost(outcome: outcome, postID: postID, refs: refs, link: link, storyLink: link, composer: composer)
        )
    }

    static let day = Double(86_400)
    static let install = Event.Content.install()

    /// The first ten days from that Monday.
    static let span = Oracle.Span(from: time(0), to: time(10 * day))
}
