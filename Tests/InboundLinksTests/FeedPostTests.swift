import InboundLinks
import Testing

/// docs/feed-posts.md, *Callbacks*: the table, row by row.
@Suite("Feed-post callbacks")
struct FeedPostTests {
    private func outcomes(_ url: String) -> [PostOutcome?] {
        FeedPostReading.Dialog.allCases.map { FeedPostReader.read(url, dialog: $0).outcome }
    }

    private func kind(_ url: String) -> FeedPostReading.Kind {
        FeedPostReader.read(url, dialog: .feed).kind
    }

    private func bridge(_ arguments: String, _ results: String? = nil, rest: String = "") -> String {
        "fb123abc://bridge/share?bridge_args=\(encoded(arguments))"
            + (results.map { "&method_results=\(encoded($0))" } ?? "") + rest
    }

    private let action = #"{"action_id":"AAAA-1"}"#

    @Test(arguments: [
        "", " ", "myapp://success?post_id=1", "fb://bridge/open", "/callback?post_id=1", "nope", "fbx://success",
    ])
    func row1OtherSchemesAreInvalid(_ url: String) {
        #expect(kind(url) == .invalid)
        #expect(outcomes(url) == [nil, nil])
    }

    @Test func row2ARequestIsNoFeedPost() {
        #expect(kind("fbconnect://success?request=5&to%5B0%5D=1") == .notAFeedPost)
        #expect(kind("http://whatever?request=5&to[0]=1&post_id=1_2") == .notAFeedPost)
        #expect(kind("fbconnect://success?request=&post_id=1") == .feedPost)
    }

    @Test(arguments: [
        "fb1://bridge/open", "fb1://bridge/open?bridge_args=", "fb1://bridge/open?bridge_args=nonsense",
        "fb1://bridge/open?bridge_args=%7B%7D", "fb1://bridge/open?bridge_args=%5B%5D",
        "fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%22%22%7D",
        "fb1://bridge/open?bridge_args=%7B%22action_id%22%3Anull%7D&method_results=%7B%7D",
        "fb1://bridge/share?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=this%20is%20invalid",
        "fb1://bridge/share?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=",
        "fb1://bridge/share?method_results=%7B%22postId%22%3A%221%22%7D",
    ])
    func row3ABrokenBridgeIsInvalid(_ url: String) {
        #expect(kind(url) == .invalid)
    }

    @Test func row3ANumberIsAnActionID() {
        #expect(outcomes(bridge(#"{"action_id":5}"#)) == [.cancelled, .unconfirmed])
        #expect(outcomes(bridge(action, "[]")) == [.cancelled, .unconfirmed])
    }

    @Test(
        arguments: [
            (#"{"code":4201}"#, PostOutcome.cancelled, 4201), (#"{"code":"4201"}"#, .cancelled, 4201),
            (#"{"code":42,"domain":"d","user_info":{"key_1":1}}"#, .failed, 42), ("{}", .failed, nil),
            (#""boom""#, .failed, nil),
            (#"{"code":0}"#, .failed, 0),
        ] as [(String, PostOutcome, Int64?)]
    )
    func row4TheBridgesErrorDecides(_ error: String, _ outcome: PostOutcome, _ code: Int64?) {
        let url = bridge(#"{"action_id":"A","error":\#(error)}"#, #"{"postId":"1_2"}"#)
        #expect(outcomes(url) == [outcome, outcome])
        #expect(FeedPostReader.read(url, dialog: .share).errorCode == code)
        #expect(FeedPostReader.read(url, dialog: .share).postID == nil)
    }

    @Test(arguments: ["null", "[]", #""""#, "false"])
    func row4AnEmptyErrorIsNone(_ error: String) {
        #expect(outcomes(bridge(#"{"action_id":"A","error":\#(error)}"#)) == [.cancelled, .unconfirmed])
    }

    @Test(arguments: [
        "fbconnect://success?error_code=4201&error_message=User+canceled+the+Dialog+flow",
        "http://whatever?error_code=4201&post_id=1", "fbconnect://success#error_code=4201",
        "fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%221%22%7D&error_code=4201",
        "fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22error_code%22%3A4201%7D",
        "fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22error_code%22%3A%224201%22%7D",
    ])
    func row5TheCancellationCode(_ url: String) {
        #expect(outcomes(url) == [.cancelled, .cancelled])
        #expect(FeedPostReader.read(url, dialog: .feed).errorCode == 4201)
    }

    @Test(arguments: [
        "fbconnect://success?error=access_denied&error_code=200",
        "fbconnect://success?error_type=OAuthAccessDeniedException",
        "fbconnect://success?error=OAuthAccessDeniedException&post_id=1",
    ])
    func row6DeniedAccess(_ url: String) {
        #expect(outcomes(url) == [.cancelled, .cancelled])
    }

    @Test(
        arguments: [
            ("fbconnect://success?error_code=100&post_id=1", 100), ("fbconnect://cancel?error_code=2", 2),
            ("fbconnect://success?error_code=-1", -1), ("fbconnect://success?error_code=99999999999999999999", nil),
            ("fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%221%22%7D&error_code=123", 123),
            (
                "fb1://bridge/open?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22error_code%22%3A5%7D",
                5
            ),
        ] as [(String, Int64?)]
    )
    func row7AnyOtherCodeFailed(_ url: String, _ code: Int64?) {
        #expect(outcomes(url) == [.failed, .failed])
        #expect(FeedPostReader.read(url, dialog: .feed).errorCode == code)
    }

    @Test(arguments: ["abc", "", "0", "4.5"])
    func row7WhatIsNoErrorIsPassedOver(_ code: String) {
        #expect(outcomes("fbconnect://success?error_code=\(code)") == [.cancelled, .unconfirmed])
        #expect(outcomes("fbconnect://success?error_code=\(code)&post_id=1") == [.posted, .posted])
    }

    @Test(arguments: ["fbconnect://cancel", "fbconnect://cancel?post_id=1", "FBCONNECT://CANCEL#_=_", "fb1://cancel"])
    func row8TheCancelHost(_ url: String) {
        #expect(outcomes(url) == [.cancelled, .cancelled])
    }

    @Test(arguments: ["cancel", "Cancel", "CANCEL"])
    func row9TheCancelGesture(_ gesture: String) {
        let results = #"{"didComplete":true,"completionGesture":"\#(gesture)","postId":"1"}"#
        #expect(outcomes(bridge(action, results)) == [.cancelled, .cancelled])
        #expect(outcomes("fbconnect://success?completionGesture=\(gesture)&post_id=1") == [.cancelled, .cancelled])
    }

    @Test func row10AnUnknownGestureFailed() {
        #expect(outcomes(bridge(action, #"{"completionGesture":"Crash","postId":"1"}"#)) == [.failed, .failed])
        #expect(outcomes(bridge(action, #"{"completionGesture":"","postId":"1"}"#)) == [.posted, .posted])
        #expect(outcomes(bridge(action, #"{"completionGesture":"Post","postId":"1"}"#)) == [.posted, .posted])
    }

    @Test(arguments: [
        "fbconnect://success?post_id=100_200", "https://a.example/cb?a=b&post_id=100_200#_=_",
        "fbconnect://success#postId=100_200",
        "fbconnect://success?com.facebook.platform.extra.POST_ID=100_200",
        "fbconnect://success?post_id=&postId=100_200", "fbconnect://success?post_id=undefined&postId=100_200",
        "fb1://success?post_id=100_200",
        "fb1://bridge/share?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22postId%22%3A%22100_200%22%7D",
        "fb1://bridge/share?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22com.facebook.platform.extra.POST_ID%22%3A%22100_200%22%7D",
        "fb1://bridge/share?bridge_args=%7B%22action_id%22%3A%221%22%7D&method_results=%7B%22a%22:%22&%22,%22post_id%22%3A%22100_200%22%7D",
    ])
    func row11AnIDMeansPosted(_ url: String) {
        #expect(outcomes(url) == [.posted, .posted])
        #expect(FeedPostReader.read(url, dialog: .feed).postID == "100_200")
    }

    @Test func row11AnIDMayBeANumber() {
        #expect(FeedPostReader.read(bridge(action, #"{"postId":12345}"#), dialog: .share).postID == "12345")
    }

    @Test(arguments: [
        "fbconnect://success", "fbconnect://success?post_id=", "http://a.example/?didComplete=true", "fb1://success",
    ])
    func row12SuccessWithoutAnID(_ url: String) {
        #expect(outcomes(url) == [.cancelled, .unconfirmed])
    }

    @Test(arguments: ["error_msg", "error_message", "error_description"])
    func theTextOfTheErrorIsRead(_ key: String) {
        #expect(FeedPostReader.read("fbconnect://success?error_code=1&\(key)=a+b", dialog: .feed).errorMessage == "a b")
    }

    @Test func theBridgesErrorMayHaveAText() {
        let url = bridge(#"{"action_id":"A","error":{"code":1,"user_info":{"error_message":"m"}}}"#)
        #expect(FeedPostReader.read(url, dialog: .share).errorMessage == "m")
    }

    @Test func everyFieldIsRedacted() {
        let url =
            "fbconnect://success?post_id=\(encoded("1&access_token=SECRET"))&error_msg=\(encoded("x?access_token=SECRET"))"
            + "&access_token=SECRET&signed_request=SECRET"
        let reading = FeedPostReader.read(url, dialog: .feed)
        #expect(reading.outcome == .posted)
        #expect(reading.errorMessage == "x?access_token=REDACTED")
        #expect(!"\(reading)".contains("SECRET"))
    }
}
