import Events
import InboundLinks
import Testing
import Time
@testable import Timelines

/// Segments on disk keep the positions of enums.
@Suite("Packed enum")
struct PackedEnumTests {
    /// The values by the numbers that a field may hold.
    private func stored<Value: PackedEnum & RawRepresentable<String> & Equatable>(
        _ values: Value.Type,
        numberedFrom first: Int = 1
    ) -> [String] {
        let positions = -1...Int(EventWord.highestNumber) + 1
        #expect(Value.allCases.map(\.position) == Array(0..<Value.allCases.count))
        #expect(
            positions.compactMap { Value(position: $0) } == Array(Value.allCases),
            "\(Value.self).last is not the last"
        )
        #expect(
            first + Value.last.position <= Int(EventWord.highestNumber),
            "\(Value.self) does not fit into its field of EventWord"
        )
        return positions.compactMap { Value(position: $0)?.rawValue }
    }

    @Test func keepsItsPositions() {
        #expect(
            stored(EventType.self, numberedFrom: 0) == [
                "inbound_link", "feed_post", "link_click", "install", "authentication", "conversion", "app_open",
            ]
        )
        #expect(stored(Platform.self) == ["ios", "android", "web", "desktop"])
        #expect(
            stored(Channel.self) == [
                "search", "bookmarks", "requests", "story_attribution", "story_links", "other", "unattributed",
            ]
        )
        #expect(
            stored(Composer.self) == ["feed_dialog", "share_dialog", "open_graph", "stories", "request_dialog"]
        )
        #expect(stored(PostOutcome.self) == ["posted", "cancelled", "failed", "unconfirmed"])
        #expect(stored(InboundLink.Form.self) == ["legacy_authorize", "app_link", "applink_args", "plain"])
        #expect(stored(RefOrigin.self) == ["link", "post", "url", "short_link"])
    }

    /// Logins have the numbers that posts do not use.
    @Test func tellsLoginsFromPosts() {
        let logins = [LoginOutcome.granted, .cancelled, .denied, .failed]
        #expect(LoginOutcome.allCases == logins)
        #expect(logins.map(\.outcomeNumber) == [0, 5, 6, Int(EventWord.highestNumber)])
        #expect(PostOutcome.last.position + 1 < 5)
    }

    @Test func keepsTheBitsOfEvents() {
        let month = Timestamp(microseconds: 1_767_225_600_000_000)
        var touch = TimelineEvent(
            occurredAt: month.advanced(byMicroseconds: 1),
            id: EventID(high: 0, low: 0),
            type: .install
        )
        touch.platform = .web
        touch.channel = .storyLinks
        touch.form = .appLink
        touch.paid = true
        var post = touch
        (post.type, post.platform, post.channel, post.paid) = (.feedPost, nil, nil, false)
        (post.outcome, post.composer) = (.unconfirmed, .stories)
        func word(_ event: TimelineEvent) -> UInt64 {
            EventWord(event, month: month.microseconds, hasStory: true).rawValue
        }
        func bits(_ fields: [(value: UInt64, shift: UInt64)]) -> UInt64 {
            fields.reduce(0) { $0 | $1.value << $1.shift }
        }
        #expect(word(touch) == bits([(1, 22), (3, 19), (3, 16), (5, 13), (2, 10), (1, 7), (1, 2)]))
        #expect(word(post) == bits([(1, 22), (1, 19), (4, 10), (4, 7), (1, 2)]))
    }
}
