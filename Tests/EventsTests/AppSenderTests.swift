import Events
import InboundLinks
import RandomTesting
import Testing

/// What a key for apps may send (docs/sending-events.md, *From the app itself*).
@Suite("Events that an app sends")
struct AppSenderTests {
    private func read(_ body: String) throws -> EventBatch {
        var ids = EventIDMaker(randomness: SeededRandom(seed: 1))
        return try BatchDecoder(appID: "app", receivedAt: receipt, sender: .app)
            .decode(Array(body.utf8), as: .json, ids: &ids)
    }

    @Test(arguments: [
        #"{"type":"inbound_link","device_id":"d","url":"myapp://soup"}"#, #"{"type":"install","device_id":"d"}"#,
        #"{"type":"app_open","device_id":"d","properties":{"plan":"pro"}}"#,
        #"{"type":"feed_post","device_id":"d","outcome":"cancelled"}"#,
        #"{"type":"authentication","device_id":"d","outcome":"cancelled"}"#,
        #"{"type":"authentication","device_id":"d","url":"fb1://authorize?error=access_denied"}"#,
        #"{"type":"app_open","device_id":"d","user_id":null}"#,
    ])
    func areTaken(_ body: String) throws {
        let batch = try read(body)
        #expect(batch.rejections == [])
        #expect(batch.events.map(\.event.sentBy) == [.app])
        #expect(try event(body).sentBy == .server)
    }

    @Test(arguments: [
        (#"{"type":"conversion","device_id":"d","name":"purchase"}"#, Rejection.Code.notAllowed, "type"),
        (#"{"type":"conversion","device_id":"d","name":"purchase","value":9,"currency":"EUR"}"#, .notAllowed, "type"),
        (#"{"type":"link_click","device_id":"d","url":"https://shop.example"}"#, .notAllowed, "type"),
        (#"{"type":"app_open","device_id":"d","user_id":"u"}"#, .notAllowed, "user_id"),
        (#"{"type":"authentication","device_id":"d"}"#, .notAllowed, "outcome"),
        (#"{"type":"authentication","device_id":"d","outcome":"granted"}"#, .notAllowed, "outcome"),
        (#"{"type":"authentication","device_id":"d","url":"fb1://authorize#access_token=T"}"#, .notAllowed, "outcome"),
        (#"{"type":"inbound_link","device_id":"d","url":"x://a","authenticated":true}"#, .notAllowed, "authenticated"),
        (#"{"type":"app_open","click_id":"c"}"#, .missingField, "device_id"),
        (#"{"type":"feed_post","outcome":"cancelled"}"#, .missingField, "device_id"),
        (#"{"type":"install","device_id":"null"}"#, .junkID, "device_id"),
    ])
    func areRefused(_ body: String, _ code: Rejection.Code, _ field: String) throws {
        let rejection = try #require(try read(body).rejections.first)
        #expect(rejection.code == code, "\(rejection.message)")
        #expect(rejection.field == field)
    }

    /// Whatever the link carries, anyone could have written it.
    @Test(arguments: ["inbound_link", "install"]) func logNobodyInByALink(type: String) throws {
        let url = "fb1://authorize#access_token=T&target_url=https%3A%2F%2Fshop.example"
        let body = #"{"type":"\#(type)","device_id":"d","url":"\#(url)"}"#
        #expect(try read(body).events.first?.event.touch?.link.authenticated == false)
        #expect(try touch(body).link.authenticated)
    }
}
