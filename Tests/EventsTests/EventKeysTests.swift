@testable import Events
import Testing

@Suite("Whose a rejected event is")
struct EventKeysTests {
    @Test(arguments: [
        (
            #"{"type":"install","user_id":"u","device_id":"d","click_id":"c"}"#,
            EventKeys(userID: "u", deviceID: "d", clickID: "c")
        ),
        (#"{"user_id":"null","device_id":"d"}"#, EventKeys(deviceID: "d")),
        (#"{"user_id":17}"#, EventKeys(userID: "17")),
        (#"{"user_id":"\u0061b"}"#, EventKeys(userID: "ab")),
        (#"{"user_id":"first","user_id":"last"}"#, EventKeys(userID: "last")),
        (#"{"install_referrer":"utm_source=a&click_id=c%2F1"}"#, EventKeys(clickID: "c/1")),
        (#"{"click_id":"own","install_referrer":"click_id=c"}"#, EventKeys(clickID: "own")),
        (#"{"install_referrer":"utm_medium=organic","device_id":"d"}"#, EventKeys(deviceID: "d")),
        // Cut off, so not JSON.
        (#"{"type":"install","user_id":"u","properties":{"a":"#, EventKeys(userID: "u")),
        (#"{"type":"install", "user_id" : 'u', "device_id":d}"#, EventKeys(userID: "u", deviceID: "d")),
        ("user_id=u&click_id=c", EventKeys(userID: "u", clickID: "c")),
        (#"{\"user_id\":\"u\"}"#, EventKeys(userID: "u")),
    ])
    func isRead(text: String, keys: EventKeys) {
        #expect(EventKeys.all(inRejected: text) == [keys])
    }

    @Test(arguments: ["", "[]", "{}", "=1+1", #"{"properties":{"user_id":"u"}}"#, "my user_id", #"{"user_id":""}"#])
    func isAnonymous(text: String) {
        #expect(EventKeys.all(inRejected: text).isEmpty)
    }

    @Test func mayBeSeveralPeoples() {
        let batch = #"{"events":[{"user_id":"a"},{"device_id":"d"}]}"#
        #expect(EventKeys.all(inRejected: batch) == [EventKeys(userID: "a"), EventKeys(deviceID: "d")])
        let broken = #"{"events":[{"user_id":"a","device_id":"d"},{"user_id":"b""#
        #expect(
            EventKeys.all(inRejected: broken)
                == [EventKeys(userID: "a"), EventKeys(userID: "b"), EventKeys(deviceID: "d")]
        )
    }
}
