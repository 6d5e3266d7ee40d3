import Events
import InboundLinks
import JSONReading
import RandomTesting
import Redirects
import Testing
import Time

/// A batch is read by the rules of its app at once. That gives what reading without the rules, and then again by them,
/// gives: the rules decide neither whether an event is valid nor which click or post it came from.
@Suite("Batches read by rules")
struct RuledBatchTests {
    private static let any = RulePattern(text: "", isPrefix: true)
    private static let rules = ReadingRules(
        refParameters: ["utm_campaign", "fb_source", "ref"],
        rules: [
            ReadingRule(conditions: [.parameter("click_id"): any], channel: .search, refs: ["tapped"]),
            ReadingRule(conditions: [.parameter("fb_source"): RulePattern(text: "f", isPrefix: true)], channel: .other),
            ReadingRule(conditions: [.host: RulePattern(text: "shop.example")], channel: .requests, refs: ["shop"]),
            ReadingRule(conditions: [.parameter("web"): any], channel: .requests),
        ]
    )

    private static let parameters = [
        "ref=a", "ref=%00", "ref=%2500", "ref=,", "fb_ref=b", "fb_ref=c%00", "fb_action_ids=12_3,4", "fb_action_ids=0",
        "fb_source=feed", "fb_source=x", "utm_campaign=k", "utm_campaign=%00", "utm_campaign=access_token%3DZq7Secret",
        "click_id=018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80", "web=1", "fb_click_time_utc=1773576000", "code=x&state=y",
        "al_applink_data=%7B%22target_url%22%3A%22https%3A%2F%2Fshop.example%2F%3Fref%3Dz%22%7D",
        "al_applink_data=%7B%22extras%22%3A%7B%22fb_ref%22%3A%22e%22%7D%7D",
        "fb_applink_args=%7B%22ref%22%3A%5B%22p%22%5D%7D", "target_url=https%3A%2F%2Ft.example%2F%3Futm_campaign%3Dt",
        "access_token=Zq7Secret", "id=%00",
    ]

    /// - Parameter hasFragment: false for a stated target: reading again forgets the time of a tap in its fragment,
    ///   because the target is stored without it.
    private static func url(_ random: inout SeededRandom, hasFragment: Bool = true) -> String {
        let start = random.pick([
            "https://shop.example/a", "https://t.example/", "app://x", "fb12://authorize", "fb12://authorize/x", "no",
            "https://l.facebook.com/l.php",
        ])
        let count = Int.random(in: 0...4, using: &random)
        let query = (0..<count).map { _ in random.pick(parameters) }.joined(separator: "&")
        let inner = start.hasPrefix("https://l.") ? "u=https%3A%2F%2Fshop.example%2F%3Fref%3Dz&" : ""
        let mark = hasFragment && random.chance(15) ? "#" : "?"
        return start + (query.isEmpty && inner.isEmpty ? "" : mark + inner + query)
            + (hasFragment && random.chance(5) ? "#a?fb_click_time_utc=1773576000" : "")
    }

    private static func body(_ random: inout SeededRandom) -> String {
        var json = JSONWriter()
        json.object { json in
            let type: EventType = random.pick([.inboundLink, .linkClick, .install])
            json.member("type", type.rawValue)
            json.member("event_id", EventID(high: random.next(), low: random.next()).description)
            json.member("user_id", "u")
            if random.chance(85) { json.member("url", url(&random)) }
            guard type != .install else { return }
            if random.chance(25) {
                json.member("target_url", random.chance(10) ? " " : url(&random, hasFragment: false))
            }
            if random.chance(15) { json.member("ref", random.pick(["mine", ",", "mine,yours"])) }
            if random.chance(15) { json.member("channel", Channel.search.rawValue) }
            if random.chance(15) { json.member("referer_app", "Chat") }
            if random.chance(15) { json.member("post_id", "7_7") }
            if random.chance(15) { json.member("deferred", random.chance(50)) }
        }
        return json.text
    }

    @Test(arguments: TestSeeds.seeds(4))
    func areAsIfReadTwice(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bodies = (0..<2_000).map { _ in Self.body(&random) }
        let text = Array(bodies.joined(separator: "\n").utf8)
        func decode(_ rules: ReadingRules) throws -> EventBatch {
            try BatchDecoder(
                appID: "app",
                receivedAt: Timestamp(microseconds: 1_795_262_400_000_000),
                rules: rules
            )
            .decode(text, as: .ndjson)
        }
        let plain = try decode(.none)
        let ruled = try decode(Self.rules)
        #expect(ruled.rejections == plain.rejections)
        let twice = TouchRereading(rules: Self.rules, links: ShortLinkJoin(LinkTable(), appID: "app"))
        for (ruled, plain) in zip(ruled.events, plain.events) {
            #expect(ruled.event == twice.read(plain.event), "\(bodies[plain.index])")
            #expect(twice.read(ruled.event) == ruled.event, "\(bodies[plain.index])")
        }
        #expect(zip(ruled.events, plain.events).contains { $0.event != $1.event })
        #expect(!plain.rejections.isEmpty)
    }
}
