import Events
import Storage
import Time
import RandomTesting

/// Some dozen events of a few people, seeded, with what breaks reports: many equal instants; instants at the ends of
/// the range, of windows, of the 24 hours of a deferred link and of the 90 days of a re-install, and one microsecond
/// off; ids that link people late; duplicates that differ; test traffic; anonymous clicks.
///
/// It keeps the guarantees of the link reader: refs are distinct, and a link with refs of its own has no story link.
struct RandomStream {
    /// In the order of arrival, including duplicates.
    var events: [Event]
    /// The range around which the instants were chosen, and a time for requests.
    var from: Timestamp
    var to: Timestamp
    var now: Timestamp

    static let currency = "USD"
    static let goals = ["buy", "level", "subscribe"]
    static let links = ["https://example.com/a", "https://example.com/b"]
    static let shortLinks = ["go.example/a", "go.example/b"]
    static let posts = ["post-1", "post-2", "post-3"]
    static let window = Duration.days(7)
    /// What events say of declared properties, and of others.
    static let properties = [
        #"{"placement":"top","plan":"pro","tier":"gold"}"#, #"{"placement":"side","plan":"free","tier":7}"#,
        #"{"placement":"total","plan":3}"#, #"{"placement":"\"total\"","tier":"gold"}"#, #"{"plan":"pro"}"#,
        #"{"plan":true,"tier":"(others)"}"#, #"{"plan":"(others)","placement":""}"#, #"{"plan":"free"}"#,
        #"{"placement":null,"plan":{"pro":1},"tier":["gold"]}"#, #"{"plan":"é","else":"pro"}"#, "{}",
        #"{"placement":" top\t","plan":"e\u0301","tier":7.0}"#, #"{"placement":" ","plan":"pro ","tier":70e-1}"#,
        #"{"placement":"\u00a0top\ufeff","plan":"\u3000pro","tier":"\u200bgold\u00a0"}"#,
    ]
    /// The declared properties of the apps that streams are of. Few values of `plan` have rows of their own.
    static let declared = [
        AppProperty("placement", of: .touch), AppProperty("plan", of: .person, values: 2),
        AppProperty("tier", of: .conversion, values: 1),
    ]

    /// Monday 2026-01-05T00:00:00Z.
    static let monday = Timestamp(microseconds: 1_767_571_200_000_000)

    /// - Parameter hasTwins: whether two refs and two users are `é` in its two spellings, which are equal as Swift
    ///   strings but differ in their bytes.
    static func make(seed: UInt64, hasTwins: Bool = false) -> RandomStream {
        var maker = Maker(seed: seed, hasTwins: hasTwins)
        return maker.stream()
    }

    /// The batches of another delivery of the same stream, with the same result: the events in another order, divided
    /// differently, with some batches twice. Only an event that was dropped as a duplicate stays behind the event that
    /// it lost to, because the first to arrive wins.
    func redelivered(seed: UInt64) -> [[Event]] {
        var random = SeededRandom(seed: seed &* 31 &+ 7)
        let kept = Set(Oracle.stored(of: events).map(\.id))
        var seen: Set<EventID> = []
        var winners: [Event] = []
        var losers: [Event] = []
        for event in events {
            if kept.contains(event.id), seen.insert(event.id).inserted {
                winners.append(event)
            } else {
                losers.append(event)
            }
        }
        var order = winners.shuffled(using: &random)
        for loser in losers {
            let after = order.lastIndex { $0.id == loser.id || Self.tellSamePost($0, loser) } ?? -1
            order.insert(loser, at: Int.random(in: (after + 1)...order.count, using: &random))
        }

        var batches: [[Event]] = []
        var rest = order[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...max(1, order.count / 3), using: &random)
            batches.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            if random.chance(30) { batches.append(random.pick(batches)) }
        }
        return batches
    }

    private static func tellSamePost(_ first: Event, _ second: Event) -> Bool {
        guard case .feedPost(let one) = first.content, case .feedPost(let other) = second.content else { return false }
        guard let postID = one.postID, let otherID = other.postID else { return false }
        return Oracle.Name(postID) == Oracle.Name(otherID)
    }
}
