import Events
import Foundation
import Importing
import Time
import JSONReading
import Testing
import RandomTesting

/// Reads the same events as NDJSON and as CSV, valid and invalid ones.
@Suite("CSV and NDJSON")
struct CSVAgreementTests {
    /// The import itself sets the others.
    private static let fields = EventField.allCases.filter { $0 != .appID && $0 != .sentAt }
    private static let columns = fields.map(\.key)

    private static let mapping =
        "fields:\n" + columns.map { "  \($0): {column: \($0)\($0 == "ref" ? ", as: list" : "")}\n" }.joined()

    @Test(arguments: TestSeeds.seeds(1))
    func bringTheSameEvents(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let events = (1...400).map { Self.event($0, &random) }
        let lines = events.map { event in
            "{"
                + Self.columns.compactMap { key in event[key].map { "\"\(key)\":" + Self.json(key, $0) } }
                .joined(separator: ",") + "}\n"
        }
        let rows = events.map { event in Self.columns.map { Self.cell(event[$0] ?? "") }.joined(separator: ",") + "\r\n"
        }
        let csv = Self.columns.joined(separator: ",") + "\r\n" + rows.joined()
        try await ImportTesting.with { testing in
            let ndjsonPath = try testing.write(lines.joined(), to: "a.ndjson")
            let csvPath = try testing.write(csv, to: "a.csv")
            let fromLines = try await testing.import([ndjsonPath], app: "shop").tally
            let mapping = try ImportMapping(yaml: Self.mapping, name: "map.yaml")
            let fromRows = try await testing.import([csvPath], app: "other") { $0.mapping = mapping }.tally
            #expect(fromLines.accepted == fromRows.accepted)
            #expect(fromLines.accepted > 200 && fromLines.rejectedCount > 20)
            #expect(fromLines.rejectedCount == fromRows.rejectedCount)
            for table in ["event", "device_link", "click_link"] {
                let sql = """
                    select (to_jsonb(t) - 'app_number' - 'received_at' - 'transaction_number')::text
                    from \(table) as t join app using (app_number) where app_id = '%' order by 1
                    """
                let shop = try await testing.texts(sql.replacing("%", with: "shop"))
                #expect(try await testing.texts(sql.replacing("%", with: "other")) == shop)
            }
            let sql = """
                select event_id || ' ' || coalesce(field, '') from rejected_event join app using (app_number)
                where app_id = '%' order by 1
                """
            let shop = try await testing.texts(sql.replacing("%", with: "shop"))
            #expect(try await testing.texts(sql.replacing("%", with: "other")) == shop)
        }
    }

    private static func event(_ number: Int, _ random: inout SeededRandom) -> [String: String] {
        let digits = String(number, radix: 16)
        let start = Date.now.timeIntervalSince1970 - 300 * 86_400
        let microseconds = Int64(start) * 1_000_000 + Int64.random(in: 0..<20_000_000_000_000, using: &random)
        let type = random.pick(EventType.allCases)
        var event = [
            "type": type.rawValue,
            "event_id": "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
            "occurred_at": Timestamp(microseconds: microseconds).rfc3339,
            "user_id": "u\(Int.random(in: 1...40, using: &random))",
        ]
        func maybe(_ key: String, _ value: String) {
            if random.chance(50) { event[key] = value }
        }
        maybe("device_id", "d \(text(&random))é")
        maybe("click_id", "c,\"\(number % 50)\"")
        maybe("platform", random.pick(["ios", "android", "web", "desktop"]))
        maybe("properties", #"{"a": "\#(number),\n\"", "b": [1, null, 1.5e3]}"#)
        switch type {
        case .inboundLink, .linkClick:
            event["url"] =
                "https://apps.facebook.com/shop/?fb_source=\(random.pick(["search", "feed", "x y"]))&fb_ref=r"
            maybe("target_url", "https://shop.example/\(text(&random))")
            maybe("ref", random.pick(["a", "a,b", "é"]))
            maybe("channel", random.pick(["search", "story_links"]))
            maybe("referer_app", text(&random))
            maybe("authenticated", random.pick(["true", "false"]))
            maybe("deferred", random.pick(["true", "false"]))
            maybe("paid", random.pick(["true", "false"]))
            maybe("clicked_at", Timestamp(microseconds: microseconds - 5).rfc3339)
            maybe("post_id", "p\(number)")
        case .feedPost:
            event["outcome"] = random.pick(["posted", "cancelled", "failed", "unconfirmed"])
            maybe("post_id", "p_\(number)")
            maybe("ref", "a,b")
            maybe("link", "https://shop.example/?\(number)")
            maybe("composer", random.pick(["feed_dialog", "stories"]))
            maybe("error_code", "4201")
            maybe("error_message", text(&random))
        case .install:
            maybe("limit_ad_tracking", random.pick(["true", "false"]))
            maybe("install_referrer", "click_id=c\(number % 50)&utm_source=\(text(&random))")
        case .authentication:
            event["outcome"] = random.pick(["granted", "cancelled", "denied", "failed", "posted"])
            maybe("error_code", "200")
            maybe("error_message", text(&random))
            if random.chance(20) { event["url"] = "fb1://authorize?error=access_denied&state=S" }
        case .conversion:
            event["name"] = "goal \(text(&random))"
            if random.chance(60) {
                event["value"] = random.pick(["12.50", "0.30000000000000004", "-3"])
                event["currency"] = random.pick(["EUR", "usd"])
            }
        case .appOpen: break
        }
        // What has no rule of its own: any text is valid.
        for field in fields where type.takes(field) && event[field.key] == nil {
            guard case .text(let limit) = field.kind, limit < EventLimits.url, type.requirement(of: field) == .optional
            else { continue }
            maybe(field.key, text(&random))
        }
        if random.chance(15) {
            let (key, value) = random.pick([
                ("platform", "amiga"), ("user_id", "null"), ("occurred_at", "1999-01-01T00:00:00Z"), ("name", "odd"),
                ("currency", "EURO"), ("limit_ad_tracking", "true"), ("type", "instal"), ("properties", "[]"),
            ])
            event[key] = value
        }
        return event
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let letters = ["a", "Z", "7", "é", "😀", "\"", ",", "\n", "\r\n", "\\", "'", ";", "="]
        return "t" + (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(letters) }.joined()
    }

    private static func json(_ key: String, _ value: String) -> String {
        switch EventField(key: key)?.kind {
        case .flag, .object: value
        default: JSONWriter.quoted(value)
        }
    }

    private static func cell(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }
}
