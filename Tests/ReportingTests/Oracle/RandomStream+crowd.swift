import Events
@testable import InboundLinks
import RandomTesting
import Time

extension RandomStream {
    /// The same events, and those of people who installed in the range or not and did nothing else, or one thing more:
    /// they came from a post, were fast, shared a device, paid or posted. Some posted and never installed.
    func amongCrowd(seed: UInt64) -> RandomStream {
        var random = SeededRandom(seed: seed &* 37 &+ 11)
        var stream = self
        let instants = [
            from, from, to.advanced(by: .microseconds(-1)), from.advanced(by: .seconds(3_600)),
            from.advanced(by: .seconds(9_000)), from.advanced(by: .microseconds(-1)), to, from.advanced(by: .days(-80)),
        ]
        let posts = Self.posts + (0..<6).map { "crowd-post-\($0)" }
        for person in 0..<Int.random(in: 4...12, using: &random) {
            let time = random.pick(instants)
            let device = random.pickOrNone(["kiosk", "kiosk", "device-1"], percent: 15)
            let (country, platform) = (random.pickOrNone(["DE", "US"], percent: 60), random.pick(Platform.allCases))
            func add(at distance: Duration, device: String? = nil, _ content: Event.Content) {
                var event = Event(
                    id: EventID(high: 3, low: random.next()),
                    occurredAt: time.advanced(by: distance),
                    receivedAt: to.advanced(by: .days(101)),
                    userID: "crowd-\(person)",
                    deviceID: device,
                    clickID: nil,
                    platform: platform,
                    properties: nil,
                    content: content
                )
                event.country = country
                stream.events.append(event)
            }
            let installs = random.chance(85)
            if installs { add(at: .zero, device: device, .install()) }
            if random.chance(60) {
                var link = InboundLink()
                link.channel = random.pick(Channel.allCases)
                link.rule = .explicit
                link.refs = random.pick([[], ["gift"], ["boast", "Zeta"]])
                let touch = Touch(link: link, postID: random.pickOrNone(posts, percent: 35))
                let content: Event.Content = random.chance(30) ? .linkClick(touch) : .inboundLink(touch)
                add(at: .seconds(random.pick([-3, -60, -60])), content)
            }
            if random.chance(15) {
                let currency = random.pick([Self.currency, Self.currency, "EUR"])
                let value = DecimalValue(millionths: random.pick([0, 1_230_000, 25_000_000]))
                add(at: .seconds(60), .conversion(Conversion(name: "buy", value: value, currency: currency)))
            }
            if !installs || random.chance(20) {
                let outcome = random.pick([PostOutcome.posted, .posted, .cancelled])
                let post = FeedPost(outcome: outcome, postID: "crowd-post-\(person)", refs: ["gift"])
                add(at: .seconds(random.pick([-3_600, 30])), .feedPost(post))
            }
        }
        return stream
    }
}
