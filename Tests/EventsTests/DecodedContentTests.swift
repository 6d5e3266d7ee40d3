import Events
import InboundLinks
import Time
import RandomTesting
import Testing

@Suite("What events are read as")
struct DecodedContentTests {
    @Test func aConversionKeepsAllItsFields() throws {
        let event = try event(
            #"""
            {"type": "conversion", "event_id": "\#(sampleID.uppercased())", "app_id": "app",
             "occurred_at": "2026-11-20T13:30:00.123456+02:00", "user_id": "u\u00e9", "device_id": "d", "click_id": "c",
             "platform": "android", "properties": { "plan" : "pro", "n": [1, 2.50, null] },
             "name": "purchase", "value": "12.50", "currency": "eur"}
            """#
        )
        #expect(event.id.description == sampleID)
        #expect(event.occurredAt.rfc3339 == "2026-11-20T11:30:00.123456Z")
        #expect(event.receivedAt == receipt)
        #expect(event.userID == "ué")
        #expect(event.deviceID == "d")
        #expect(event.clickID == "c")
        #expect(event.platform == .android)
        #expect(event.properties == #"{ "plan" : "pro", "n": [1, 2.50, null] }"#)
        #expect(
            event.content
                == .conversion(
                    Conversion(name: "purchase", value: DecimalValue(millionths: 12_500_000), currency: "EUR")
                )
        )
    }

    /// The Graph API answers an Open Graph action with its id, and the link of its story carries the id.
    @Test(
        arguments: [
            ("fb_ref=gift&fb_action_ids=101,102", "", "101"), ("fb_ref=gift&fb_action_ids=1_2", "", "1_2"),
            ("fb_ref=gift&fb_action_ids=101", #""post_id":"p","#, "p"), ("fb_ref=gift&fb_action_ids=0", "", nil),
            ("fb_ref=gift&fb_action_ids=undefined", "", nil),
            // It takes the ref of the post with its target.
            ("fb_action_ids=101", "", nil),
        ]
    )
    func aLinkWithARefNamesItsAction(query: String, stated: String, postID: String?) throws {
        let event = try event(
            #"{"type":"inbound_link",\#(stated)"user_id":"u","url":"https://example.com/a?\#(query)"}"#
        )
        guard case .inboundLink(let touch) = event.content else {
            Issue.record("is no link")
            return
        }
        #expect(touch.postID == postID)
    }

    @Test func nullMeansAbsent() throws {
        let event = try event(
            #"""
            {"type":"authentication","event_id":null,"occurred_at":null,"app_id":null,"user_id":"u","device_id":null,
             "platform":null,"properties":null,"url":null,"ref":null,"value":null,"error_code":null,"paid":null}
            """#
        )
        #expect(event.occurredAt == receipt)
        #expect(event.deviceID == nil)
        #expect(event.properties == nil)
        #expect(event.content == .authentication())
    }

    @Test func anAbsentIDIsMadeAndTold() throws {
        let batch = try decode(
            #"[{"type":"authentication","user_id":"a"},{"type":"authentication","user_id":"b","event_id":"\#(sampleID)"}]"#
        )
        #expect(batch.events.map(\.hasMadeID) == [true, false])
        #expect(batch.events[0].event.id.high >> 12 & 15 == 7)
    }

    @Test(arguments: ["2026-11-21T13:00:00Z", "2025-10-17T12:00:00Z"])
    func theBoundsOfTimeAreIncluded(_ time: String) throws {
        let event = try event(#"{"type":"authentication","user_id":"a","occurred_at":"\#(time)"}"#)
        #expect(event.occurredAt.rfc3339 == time)
    }

    @Test func retentionIsConfigurable() throws {
        let body = #"{"type":"authentication","user_id":"a","occurred_at":"2026-11-19T12:00:00Z"}"#
        let batch = try decode(body, retention: .seconds(86_400))
        #expect(batch.rejections.map(\.code) == [.tooOld])
        #expect(batch.rejections[0].message.contains(" 1 day"))
    }

    // MARK: - Touches

    @Test func explicitValuesWinOverTheLink() throws {
        let touch = try touch(
            #"""
            {"type":"inbound_link","user_id":"u","url":"https://apps.facebook.com/ns/?fb_source=bookmark&fb_ref=a",
             "target_url":"https://example.com/x","ref":["b"," c ","b",""],"channel":"requests","referer_app":"Other",
             "referer_url":"other://","authenticated":true,"deferred":true,"clicked_at":"2026-11-21T11:00:00Z",
             "post_id":"1_2","paid":true}
            """#
        )
        #expect(touch.link.targetURL == "https://example.com/x")
        #expect(touch.link.refs == ["b", "c"])
        #expect(touch.link.channel == .requests)
        #expect(touch.link.rule == .explicit)
        #expect(touch.link.fbSource == "bookmark")
        #expect(touch.link.refererApp == "Other")
        #expect(touch.link.refererURL == "other://")
        #expect(touch.link.authenticated)
        #expect(touch.link.deferred)
        #expect(touch.link.clickedAt?.rfc3339 == "2026-11-21T11:00:00Z")
        #expect(touch.link.paid)
        #expect(touch.postID == "1_2")
        #expect(touch.storyLink == nil)
    }

    /// Also those of other scripts, and those that nobody sees.
    @Test func refsHaveNoBlanksAroundThem() throws {
        for list in [#"["\u00a0pro","pro\u3000","\u200bpro\ufeff","\ufeff"]"#, #""pro\u00a0,\u2009pro, \u200b""#] {
            let stated = try touch(#"{"type":"link_click","url":"https://example.com/","ref":\#(list)}"#)
            #expect(stated.link.refs == ["pro"])
        }
        let linked = try touch(
            #"{"type":"link_click","url":"https://apps.facebook.com/ns/?fb_source=feed&fb_ref=%C2%A0pro,pro%E2%80%8B"}"#
        )
        #expect(linked.link.refs == ["pro"])
    }

    @Test func aLinkIsRead() throws {
        let touch = try touch(
            #"{"type":"link_click","url":"https://apps.facebook.com/ns/?fb_source=feed&fb_ref=invite,gift"}"#
        )
        #expect(touch.link.channel == .storyLinks)
        #expect(touch.link.refs == ["invite", "gift"])
        #expect(touch.link.redactedURL == "https://apps.facebook.com/ns/?fb_source=feed&fb_ref=invite,gift")
    }

    @Test func aTouchNeedsNoURL() throws {
        #expect(try touch(#"{"type":"link_click","channel":"search"}"#).link.channel == .search)
        let touch = try touch(#"{"type":"inbound_link","click_id":"c","target_url":"https://Example.com/A?fb_x=1#f"}"#)
        #expect(touch.link.targetURL == "https://Example.com/A?fb_x=1#f")
        #expect(touch.link.redactedURL == nil)
        #expect(touch.storyLink == "https://example.com/A")
    }

    @Test(
        arguments: [
            (#""a, b ,,a""#, ["a", "b"]), (#"["a,b","c"]"#, ["a", "b", "c"]), (#""""#, []), ("[]", []), (#"[" "]"#, []),
            (#"["no_ref_specified"]"#, []), (#"["é"]"#, ["é"]),
        ] as [(String, [String])]
    )
    func refsAreAListOrAString(_ ref: String, _ refs: [String]) throws {
        #expect(try touch(#"{"type":"link_click","channel":"search","ref":\#(ref)}"#).link.refs == refs)
        #expect(try post(#""outcome":"posted","ref":\#(ref)"#).refs == refs)
    }

    /// Reports count it at the open (`PersonTimeline`). It still says which opens tell of one tap.
    @Test func aTapAfterItsOpenIsKept() throws {
        for time: Int64 in [99_999_999_999, 4_102_444_800] {
            let touch = try touch(
                #"{"type":"link_click","url":"myapp://x?fb_applink_args=%7B%7D&fb_click_time_utc=\#(time)"}"#
            )
            #expect(touch.link.clickedAt == Timestamp(microseconds: time * 1_000_000))
            #expect(touch.link.deferred)
        }
    }

    @Test func aLinkNamesTheClickOfItsEvent() throws {
        let url = #""url":"shop://spring?x=1&click_id=\#(sampleClick)""#
        for type in ["inbound_link", "install"] {
            #expect(try event(#"{"type":"\#(type)","device_id":"d",\#(url)}"#).clickID == sampleClick)
            #expect(try event(#"{"type":"\#(type)","click_id":"own",\#(url)}"#).clickID == "own")
            // The click alone tells whose the event is.
            #expect(try event(#"{"type":"\#(type)",\#(url)}"#).clickID == sampleClick)
        }
        let referrer = #""install_referrer":"click_id=c""#
        #expect(try event(#"{"type":"install",\#(referrer),\#(url)}"#).clickID == "c")
        let target = #""target_url":"shop://a?click_id=\#(sampleClick)""#
        #expect(try event(#"{"type":"inbound_link","device_id":"d",\#(target)}"#).clickID == sampleClick)
        #expect(try touch(#"{"type":"inbound_link",\#(url)}"#).link.targetURL == "shop://spring?x=1")
        // A link may be passed on with the id of the click of somebody else.
        #expect(try event(#"{"type":"link_click","device_id":"d",\#(url)}"#).clickID == nil)
        #expect(try event(#"{"type":"inbound_link","device_id":"d","url":"shop://a?click_id=tap-1"}"#).clickID == nil)
    }

    @Test func aLinkThatWasReadKeepsNoClick() throws {
        let touch = try touch(#"{"type":"inbound_link","url":"shop://spring?click_id=\#(sampleClick)"}"#)
        #expect(touch.link.clickID == nil)
        #expect(LinkRereading.read(touch.link, by: .none) == touch.link)
    }

    private let sampleClick = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"

    @Test func anInstallMayBringItsDeferredLink() throws {
        let body = #"{"type":"install","device_id":"d","limit_ad_tracking":false,"url":"myapp://x?fb_ref=a"}"#
        guard case .install(let install) = try event(body).content else { throw UnexpectedContent() }
        #expect(install.limitAdTracking == false)
        #expect(install.link?.link.deferred == true)
        #expect(install.link?.link.refs == ["a"])
        #expect(try event(#"{"type":"install","device_id":"d"}"#).content == .install())
    }

    @Test(
        arguments: [
            ("click_id=c", "c"),
            ("click_id=c&utm_source=recipe&utm_medium=link&utm_campaign=soup", "c"),
            ("utm_source=recipe&click_id=c", "c"),
            ("utm_source=google-play&utm_medium=organic", nil),
            ("utm_source=(not set)&utm_medium=(not set)", nil),
            ("utm_source=(not%20set)&utm_medium=(not%20set)", nil),
            ("gclid=c&xclick_id=c&click_id2=c&CLICK_ID=c", nil),
            ("click_id=a%26b%3D%25", "a&b=%"), ("click%5Fid=c", "c"), ("click_id=a+b", "a b"),
            ("click_id=%C3%A9", "é"), ("click_id=c%", nil), ("click_id=%FF", nil), ("click_id=%00", nil),
            // Encoded once more, as it stands in the URL of the store.
            ("click_id%3Dc%26utm_source%3Da%2520b", "c"), ("utm_source%3Da", nil),
            ("click_id=a&click_id=b", "b"), ("click_id=a&click_id=", nil), ("click_id=a&click_id=%", "a"),
            ("click_id=", nil), ("click_id", nil), ("&&=&", nil), ("?", nil),
            ("click_id=null", nil), ("click_id={click_id}", nil), ("click_id=(not set)", nil), ("click_id=0", nil),
            ("click_id=%20", nil),
            ("click_id=" + String(repeating: "c", count: 256), String(repeating: "c", count: 256)),
            ("click_id=" + String(repeating: "c", count: 257), nil),
            ("click_id=EAABsbCS1iHgBAKqEAABsbCS1iHgBAKq", "REDACTED"),
        ] as [(String, String?)]
    )
    func theReferrerOfAnInstallNamesItsClick(_ referrer: String, _ clickID: String?) throws {
        let install = #""type":"install","install_referrer":"\#(referrer)""#
        #expect(try event(#"{"device_id":"d",\#(install)}"#).clickID == clickID)
        #expect(try event(#"{"click_id":"own",\#(install)}"#).clickID == "own")
        // Whatever the referrer says, the install is lost only if it belongs to nobody.
        #expect(try decode("{\(install)}").events.first?.event.clickID == clickID)
    }

    @Test func theReferrerOfAnInstallIsKeptWithoutItsSecrets() throws {
        let body = #"{"type":"install","install_referrer":"click_id=c&utm_source=a%20b&access_token=T"}"#
        let referrer = "click_id=c&utm_source=a%20b&access_token=REDACTED"
        #expect(try event(body).content == .install(Install(referrer: referrer)))
        let empty = #"{"type":"install","device_id":"d","install_referrer":""}"#
        #expect(try event(empty).content == .install())
    }

    /// Random texts of the bytes that mean something, and random lists of parameters.
    @Test(arguments: TestSeeds.seeds(2))
    func anyReferrerIsRead(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "click_id", "click%5Fid", "=", "&", "%", "%3D", "%26", "%2", "+", "#", "?", "c", "é", "%C3", "{", "}",
            "al_applink_data={", "\\\"", " ", "utm_source", "null",
        ]
        for _ in 0..<1_000 {
            let referrer = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(pieces) }.joined()
            let body = #"{"type":"install","device_id":"d","install_referrer":"\#(referrer)"}"#
            #expect(try decode(body).rejections == [])

            let pairs = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                (random.pick(["click_id", "utm_source", "a"]), "v" + random.pick(["", "+", "&", "=", "%", "é/", "#"]))
            }
            let spelled = pairs.map { name, value in
                "\(name)="
                    + value.utf8.map { byte in
                        (0x61...0x7A).contains(byte)
                            ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                    }.joined()
            }.joined(separator: "&")
            #expect(InstallReferrer.clickID(in: spelled) == pairs.last { $0.0 == "click_id" }?.1)
        }
    }

    // MARK: - Feed posts

    @Test func aCallbackIsRead() throws {
        let post = try post(
            #""callback_url":"fbconnect://success?post_id=1_2","ref":"invite","link":"https://Example.com/?fb_ref=z""#
        )
        #expect(post.outcome == .posted)
        #expect(post.postID == "1_2")
        #expect(post.composer == .feedDialog)
        #expect(post.refs == ["invite"])
        #expect(post.link == "https://Example.com/?fb_ref=z")
        #expect(post.storyLink == "https://example.com/")
        #expect(post.redactedCallback == "fbconnect://success?post_id=1_2")
    }

    @Test func theDialogSaysWhatASuccessWithoutIDMeans() throws {
        let feed = try post(#""callback_url":"fbconnect://success","dialog":"feed""#)
        #expect(feed.outcome == .cancelled)
        #expect(feed.composer == .feedDialog)
        let share = try post(#""callback_url":"fbconnect://success","dialog":"share""#)
        #expect(share.outcome == .unconfirmed)
        #expect(share.composer == .shareDialog)
    }

    @Test func aPostIDAloneMeansPosted() throws {
        let post = try post(#""post_id":"1_2""#)
        #expect(post == FeedPost(outcome: .posted, postID: "1_2"))
    }

    @Test func explicitValuesWinOverTheCallback() throws {
        let post = try post(
            #"""
            "callback_url":"fbconnect://success?error_code=100&error_msg=no","outcome":"unconfirmed","composer":"stories",
            "error_code":-7,"error_message":"other"
            """#
        )
        #expect(post.outcome == .unconfirmed)
        #expect(post.composer == .stories)
        #expect(post.errorCode == -7)
        #expect(post.errorMessage == "other")
    }

    @Test(
        arguments: [(#""4201""#, 4201), (#""-7""#, -7), (#""007""#, 7), ("4201", 4201), (#""""#, nil)]
            as [(String, Int64?)]
    )
    func anErrorCodeMayBeTextOfDigits(_ json: String, _ code: Int64?) throws {
        #expect(try post(#""outcome":"failed","error_code":\#(json)"#).errorCode == code)
    }

    @Test func whatTheCallbackSaysOfAFailureIsKept() throws {
        let post = try post(#""callback_url":"fbconnect://success?error_code=100&error_msg=no+way""#)
        #expect(post.outcome == .failed)
        #expect(post.errorCode == 100)
        #expect(post.errorMessage == "no way")
    }

    @Test func thePostOfACancelledStoryHasNoIDFromItsCallback() throws {
        let post = try post(#""callback_url":"fbconnect://success?post_id=1_2","outcome":"cancelled""#)
        #expect(post.outcome == .cancelled)
        #expect(post.postID == nil)
    }

    @Test(arguments: ["null", "undefined", "0", "(null)", "[object Object]", "%20", "%E2%80%8B"])
    func anIDForNoneInACallbackIsNoPost(_ id: String) throws {
        let callback = #""callback_url":"fbconnect://success?post_id=\#(id)""#
        for (dialog, outcome) in [("feed", PostOutcome.cancelled), ("share", .unconfirmed)] {
            let post = try post(#""dialog":"\#(dialog)",\#(callback)"#)
            #expect(post.outcome == outcome)
            #expect(post.postID == nil)
        }
    }

    @Test func anOpenGraphActionIsAPost() throws {
        let post = try post(
            #""post_id":"77","composer":"open_graph","action_type":"ns:cook","object_id":"recipe/1","ref":"cooking""#
        )
        #expect(post.outcome == .posted)
        #expect(post.composer == .openGraph)
        #expect(post.actionType == "ns:cook")
        #expect(post.objectID == "recipe/1")
    }

    @Test(arguments: PostOutcome.allCases, Composer.allCases)
    func anyComposerMayHaveAnyOutcome(_ outcome: PostOutcome, _ composer: Composer) throws {
        let post = try post(#""outcome":"\#(outcome.rawValue)","composer":"\#(composer.rawValue)""#)
        #expect(post.outcome == outcome)
        #expect(post.composer == composer)
    }

    // MARK: - Logins

    @Test func aLoginCallbackIsRead() throws {
        let denied = try login(
            #""url":"fb1://authorize/?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied&state=S#_=_""#
        )
        #expect(
            denied
                == Login(
                    outcome: .denied,
                    errorCode: 200,
                    errorMessage: "Permissions error",
                    redactedCallback:
                        "fb1://authorize/?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied&state=REDACTED#_=_"
                )
        )
        let granted = try login(#""url":"fb1://authorize#access_token=T&expires_in=5""#)
        #expect(granted == Login(redactedCallback: "fb1://authorize#access_token=REDACTED&expires_in=5"))
    }

    @Test(arguments: LoginOutcome.allCases)
    func theOutcomeOfALoginMayBeStated(_ outcome: LoginOutcome) throws {
        #expect(try login(#""outcome":"\#(outcome.rawValue)""#) == Login(outcome: outcome))
        let stated = try login(
            #""outcome":"\#(outcome.rawValue)","url":"fbconnect://cancel?error_code=4201&error_message=a","error_code":"7","error_message":"b""#
        )
        #expect(stated.outcome == outcome)
        #expect(stated.errorCode == 7)
        #expect(stated.errorMessage == "b")
    }

    @Test func aLoginIsGrantedIfNothingElseIsSaid() throws {
        #expect(try login(#""error_code":0,"outcome":null"#) == Login(errorCode: 0))
    }

    // MARK: - Values

    @Test(arguments: ["-12.5", #""-12.5""#, "-1.25e1", #""-12.500000""#])
    func aRefundIsNegative(_ value: String) throws {
        let event = try event(
            #"{"type":"conversion","user_id":"u","name":"refund","value":\#(value),"currency":"JPY"}"#
        )
        guard case .conversion(let conversion) = event.content else { throw UnexpectedContent() }
        #expect(conversion.value?.millionths == -12_500_000)
        #expect(conversion.currency == "JPY")
    }

    @Test(arguments: [
        "{}", #"{"":1}"#, #"{ "" : 1 }"#, #"{"a":1,"":{"":"\\n"}}"#, #"{"e":1e5,"x":"\\u00e9 \\ud83d\\ude00"}"#,
    ])
    func propertiesAreKeptAsTheyAre(_ properties: String) throws {
        let properties = properties.replacing(#"\\"#, with: #"\"#)
        #expect(
            try event(#"{"type":"authentication","user_id":"u","properties":\#(properties)}"#).properties == properties
        )
    }
}
