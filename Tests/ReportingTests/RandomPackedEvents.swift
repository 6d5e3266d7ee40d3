import Events
import InboundLinks
import Time
@testable import Reporting
import RandomTesting
@testable import Timelines

/// Events for packing, of every type and with every field.
enum RandomPackedEvents {
    /// The start of a month.
    static let start = Timestamp(microseconds: 1_767_225_600_000_000)

    /// - Parameters:
    ///   - buckets: the buckets of the people, with a few people in each.
    ///   - days: how many days from `start` on.
    static func make(
        seed: UInt64,
        count: Int,
        buckets: [UInt64] = [0, 255],
        days: Int64 = 31,
        dictionary: TimelineDictionary
    ) -> [SegmentEvent] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            let bucket = random.pick(buckets) << 56
            // The last one is the highest of its bucket.
            let person = PersonHash(high: bucket | random.pick([1, 2, 1 << 56 - 1]), low: random.pick([1, 7]))
            let isAnonymous = random.chance(10)
            let time = start.advanced(by: .microseconds(Int64.random(in: 0..<days * 86_400_000_000, using: &random)))
            var event = TimelineEvent(
                occurredAt: time,
                id: EventID(high: random.next(), low: UInt64(number)),
                type: random.pick(EventType.allCases)
            )
            event.platform = random.pickOrNone(Platform.allCases, percent: 70)
            if let version = random.pickOrNone(["1.0", "1.1", "2.0"], percent: 50) {
                event.appVersion = dictionary.code(of: version, as: .appVersion)
            }
            if random.chance(30) { event.sentBy = .app }
            if event.type == .install { event.isInjected = random.chance(30) }
            switch event.type {
            // An install may come without a link.
            case .install where random.chance(30): break
            case .inboundLink, .linkClick, .install:
                event.channel = random.pick(Channel.allCases)
                event.authenticated = random.chance(50)
                event.deferred = random.chance(30)
                event.form = random.pick(InboundLink.Form.allCases)
                event.paid = random.chance(20)
                if random.chance(30) {
                    event.clickedAt = time.advanced(by: .seconds(-5))
                    if random.chance(70) { event.tappedTarget = Int64(bitPattern: random.next() | 1) }
                }
                event.referer = random.chance(50) ? dictionary.code(of: "Facebook", as: .referer) : .none
                event.target = dictionary.code(of: "https://example.com/\(random.pick(Array(0..<400)))", as: .target)
                event.refs = dictionary.refList(random.pick([[], ["gift"], ["gift", "boast"], [""]]))
                event.hasShortLink = random.chance(30)
                if event.hasShortLink, random.chance(90) {
                    event.shortLink = dictionary.code(of: "go.example/\(random.pick(Array(0..<400)))", as: .link)
                }
                if random.chance(20) { event.openedClick = EventID(high: 8, low: random.next()) }
            case .feedPost:
                event.outcome = random.pick(PostOutcome.allCases)
                event.composer = random.pickOrNone(Composer.allCases, percent: 80)
                event.refs = dictionary.refList(["ask"])
            case .conversion:
                event.goal = dictionary.code(of: random.pick(["buy", "level"]), as: .goal)
                if random.chance(50) {
                    event.currency = dictionary.code(of: "USD", as: .currency)
                    event.value = random.pick([0, -1, 123_456_789])
                }
            case .authentication: event.login = random.pick(LoginOutcome.allCases)
            case .appOpen: break
            }
            let key = random.chance(30) ? PersonHash(high: 9, low: random.pick([3, 4])) : person
            var packed = SegmentEvent(
                person: isAnonymous ? nil : person,
                key: isAnonymous ? PersonHash(high: 0, low: 0) : key,
                event: event
            )
            if event.channel != nil, random.chance(30) { packed.story = EventID(high: 5, low: random.next()) }
            if event.channel != nil, packed.hasStory || !event.refs.isNone {
                packed.event.refOrigin = random.pickOrNone(RefOrigin.allCases, percent: 80)
            }
            return packed
        }
    }
}

extension SegmentReader {
    /// All remaining events, as they were packed.
    ///
    /// - Parameter types: one bit for each wanted type, at its `position`.
    mutating func rest(of types: UInt64 = .max) -> [SegmentEvent] {
        var events: [SegmentEvent] = []
        var event = TimelineEvent.blank
        var story = EventID(high: 0, low: 0)
        while !isAtEnd {
            for _ in 0..<head.count {
                guard read(&event, &story, of: types) else { continue }
                events.append(
                    SegmentEvent(
                        person: head.isAnonymous ? nil : person,
                        key: head.isAnonymous ? PersonHash(high: 0, low: 0) : key,
                        event: event,
                        story: story
                    )
                )
            }
            advance()
        }
        return events
    }
}
