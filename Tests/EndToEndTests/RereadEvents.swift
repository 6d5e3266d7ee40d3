import Foundation
import RandomTesting

/// Random events of 2026, as JSON, with links of all kinds that rules can tell apart.
enum RereadEvents {
    static let rules = """
        refs: [utm_campaign]
        rules:
          - when: {utm_source: "news*", utm_medium: email}
            channel: story_links
            ref: newsletter
          - when: {host: "shop.example", path: "/sale*"}
            channel: other
          - when: {utm_source: chat}
            channel: requests

        """

    /// Stands for the host of the app's short links.
    static let host = "HOST.example"

    private static let urls = [
        "https://shop.example/sale/1", "https://shop.example/item", "https://a.example/", "https://a.example/x?ref=own",
        "fb1://authorize?target_url=https%3A%2F%2Fshop.example%2Fsale%3Futm_campaign%3Dinner",
        "x://y?al_applink_data=%7B%22target_url%22%3A%22https%3A%2F%2Fa.example%2F%3Futm_source%3Dchat%22%7D",
        "https://\(host)/with-ref", "https://\(host)/without-ref",
    ]

    private static let parameters = [
        "utm_source=newsletter", "utm_source=news1&utm_medium=email", "utm_source=chat", "utm_campaign=spring",
        "utm_campaign=a,b", "fb_source=search", "fb_source=feed", "fb_ref=story", "campaign_ids=1", "access_token=abc",
    ]

    /// - Parameter months: of the year.
    static func batch(_ count: Int, months: ClosedRange<Int>, _ random: inout SeededRandom) -> [String] {
        (0..<count).map { _ in
            let id = UUID.random(using: &random).uuidString
            let (month, day) = (Int.random(in: months, using: &random), Int.random(in: 1...28, using: &random))
            let (hour, minute) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<60, using: &random))
            let time = String(format: "2026-%02d-%02dT%02d:%02d:07Z", month, day, hour, minute)
            let person =
                random.chance(80) ? #""user_id":"u\#(number(&random))""# : #""device_id":"d\#(number(&random))""#
            let own = content(&random)
            return #"{"event_id":"\#(id)","occurred_at":"\#(time)",\#(person),\#(own)}"#
        }
    }

    private static func number(_ random: inout SeededRandom) -> Int { Int.random(in: 1...15, using: &random) }

    private static func content(_ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return #""type":"install""#
        case 1: return #""type":"authentication","outcome":"\#(random.pick(["granted", "granted", "cancelled"]))""#
        case 2:
            return #""type":"conversion","name":"\#(random.pick(["buy", "level"]))","value":"2.50","currency":"USD""#
        case 3:
            let ref = random.chance(70) ? #","ref":"posted""# : ""
            return
                #""type":"feed_post","outcome":"posted","link":"\#(random.pick(Array(urls.prefix(3) + urls.suffix(2))))"\#(ref)"#
        default:
            var url = random.pick(urls)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                url += (url.contains("?") ? "&" : "?") + random.pick(parameters)
            }
            var stated = ""
            if random.chance(10) { stated += #","ref":"mine""# }
            if random.chance(10) { stated += #","channel":"bookmarks""# }
            if random.chance(10) { stated += #","referer_app":"Chat""# }
            let type = random.chance(25) ? "link_click" : "inbound_link"
            return #""type":"\#(type)","url":"\#(url)"\#(stated)"#
        }
    }
}

extension UUID {
    fileprivate static func random(using random: inout SeededRandom) -> UUID {
        let (high, low) = (random.next(), random.next())
        return withUnsafeBytes(of: (high, low)) { bytes in
            bytes.withMemoryRebound(to: uuid_t.self) { UUID(uuid: $0[0]) }
        }
    }
}
