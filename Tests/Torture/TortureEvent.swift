import Events
import Time
import RandomTesting

/// An event of the load. Its content follows from the seed, its number and its version. So stored events can be
/// compared with sent ones without keeping the sent ones.
struct TortureEvent {
    /// The number of different contents that are sent under one id.
    static let versions = 4
    static let apps = 3
    /// The first numbers are of events that were received 45 days ago. Their keys are gone.
    static let oldNumbers = 0..<3_000
    private static let oldAge: Int64 = 45 * 86_400

    let seed: UInt64
    /// All events are before this time. Microseconds since 1970, whole seconds.
    let baseTime: Int64
    let number: Int
    let version: Int

    var app: Int { Self.app(ofNumber: number) }
    var id: String { Self.id(ofNumber: number, seed: seed) }

    var isOld: Bool { Self.oldNumbers.contains(number) }

    static func app(ofNumber number: Int) -> Int { number % apps }

    static func idHigh(seed: UInt64) -> UInt64 {
        var random = SeededRandom(seed, 1)
        // A UUID of version 4, as clients make them.
        return random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    }

    static let idLowMark: UInt64 = 0x8000_0000_0000_0000

    static func id(ofNumber number: Int, seed: UInt64) -> String {
        EventID(high: idHigh(seed: seed), low: idLowMark | UInt64(number)).description
    }

    /// The content that is sent, and that is expected in the database.
    var content: Content {
        var random = SeededRandom(seed ^ UInt64(number), UInt64(version) + 10)
        var content = Content(type: "authentication", occurredAt: baseTime)
        // Mostly recent, sometimes months ago, so that partitions must be created.
        let age =
            random.chance(97)
            ? Int64.random(in: 0..<3_000, using: &random) : .random(in: 0..<25_000_000, using: &random)
        content.occurredAt =
            baseTime - (isOld ? age + Self.oldAge : age) * 1_000_000
            - Int64.random(in: 0..<1_000_000, using: &random)
        content.userID = "user-\(Int.random(in: 0..<4_000, using: &random))"
        if random.chance(60) { content.deviceID = "device-\(Int.random(in: 0..<6_000, using: &random))" }
        content.salt = String(random.next(), radix: 16)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            content.type = "conversion"
            content.goal = ["purchase", "sign_up", "grüße"].randomElement(using: &random)
            content.valueCents = .random(in: 0..<100_000, using: &random)
        case 1:
            content.type = "install"
        case 2:
            content.type = "link_click"
            content.ref = "ref-\(Int.random(in: 0..<50, using: &random))"
        case 3:
            content.type = "inbound_link"
            content.ref = "ref-\(Int.random(in: 0..<50, using: &random))"
        case 4:
            content.type = "feed_post"
            // A post is stored once by its id, so no other event may have this id.
            content.postID = "post-\(number)"
        default:
            break
        }
        return content
    }

    struct Content: Equatable {
        var type: String
        /// Microseconds since 1970.
        var occurredAt: Int64
        var userID: String?
        var deviceID: String?
        var goal: String?
        var valueCents: Int64?
        var ref: String?
        var postID: String?
        var salt = ""
    }

    var json: String {
        let content = content
        var text =
            #"{"type":"\#(content.type)","event_id":"\#(id)","occurred_at":"\#(Timestamp(microseconds: content.occurredAt).rfc3339)""#
        if let value = content.userID { text += #","user_id":"\#(value)""# }
        if let value = content.deviceID { text += #","device_id":"\#(value)""# }
        if let value = content.goal { text += #","name":"\#(value)""# }
        if let value = content.valueCents {
            let cents = value % 100
            text += #","value":"\#(value / 100).\#(cents < 10 ? "0" : "")\#(cents)","currency":"USD""#
        }
        switch content.type {
        case "link_click": text += #","target_url":"https://shop.example/\#(number)","ref":"\#(content.ref ?? "")""#
        case "inbound_link":
            // A raw link with a token, as apps get them, so that the link reader takes part too.
            let target = "https%3A%2F%2Fshop.example%2F\(number)%3Fref%3D\(content.ref ?? "")"
            text += #","url":"fb123://authorize#target_url=\#(target)&access_token=secret\#(number)""#
        default: break
        }
        if let value = content.postID { text += #","post_id":"\#(value)""# }
        return text + #","properties":{"salt":"\#(content.salt)","version":\#(version)}}"#
    }
}
