import InboundLinks
import JSONReading
import Testing

/// docs/command-line.md, *inspect*.
@Suite("Inspection")
struct InspectionTests {
    @Test func aLinkShowsAllItsKeysInOrder() {
        let keys = LinkReader.read("x://a").inspection.map(\.0)
        #expect(
            keys == [
                "kind", "form", "app_id", "scheme_suffix", "target_url", "authenticated", "channel", "rule", "refs",
                "fb_source", "action_ids", "action_types", "request_ids", "referer_app", "referer_url", "deferred",
                "paid",
                "test_traffic", "promo_code", "fbclid", "click_id", "redacted_url",
            ]
        )
    }

    @Test func absentValuesAreNullAndListsEmpty() throws {
        let json = InspectionValue.object(LinkReader.read("x://a").inspection)
        let root = try JSONDocument(reading: json.utf8).root
        #expect(root["app_id"]?.kind == .null)
        #expect(root["refs"]?.kind == .array)
        #expect(root["refs"]?.count == 0)
        #expect(root["deferred"]?.bool == false)
    }

    @Test func aPostShowsItsKeys() {
        let inspection = FeedPostReader.read("fbconnect://success?error_code=100", dialog: .feed).inspection
        #expect(inspection.map(\.0) == ["kind", "outcome", "post_id", "error_code", "error_message"])
        #expect(
            InspectionValue.object(inspection, indented: false)
                == #"{"kind": "feed_post", "outcome": "failed", "post_id": null, "error_code": 100, "error_message": null}"#
        )
    }

    @Test func textIsEscaped() throws {
        let text = "\"\\\n\u{1}é\u{7F}😀"
        let json = InspectionValue.object([(text, .list([text, ""]))])
        let root = try JSONDocument(reading: json.utf8).root
        #expect(root[text]?.elements.map(\.string) == [text, ""])
        #expect(InspectionValue.object([]) == "{}")
    }

    @Test(arguments: [("", "invalid"), ("fb1://authorize?state=S", "login_result")])
    func othersShowTheirKind(_ url: String, _ kind: String) {
        let inspection = LinkReader.read(url).inspection
        #expect(inspection.map(\.0) == ["kind", "redacted_url"])
        #expect(inspection[0].1 == .string(kind))
    }
}
