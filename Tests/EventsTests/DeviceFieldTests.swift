import Foundation
import Testing
import Time

@testable import Events
@testable import InboundLinks

/// What an app cannot choose: its phone says it, or the store. It never costs the event.
@Suite("What is said of a device")
struct DeviceFieldTests {
    private func decoded(_ field: String, rules: ReadingRules = .none) throws -> DecodedEvent {
        let body = #"{"type":"install","device_id":"d",\#(field)}"#
        let batch = try BatchDecoder(appID: "app", receivedAt: receipt, rules: rules).decode(body.utf8, as: .json)
        #expect(batch.rejections == [])
        return try #require(batch.events.first)
    }

    @Test(
        arguments: [
            (#""platform":"iOS""#, "ios"), (#""platform":" Android ""#, "android"), (#""app_version":4.10"#, "4.10"),
            (#""app_version":" 4.2 ""#, "4.2"), (#""country":"uk""#, "GB"), (#""country":"xk""#, "XK"),
            (#""language":"zh_TW_#Hant""#, "zh-Hant-TW"), (#""language":"iw""#, "he"),
        ] as [(String, String)]
    )
    func isRead(_ field: String, _ value: String) throws {
        let decoded = try decoded(field)
        let event = decoded.event
        let values = [event.platform?.rawValue, event.appVersion, event.country, event.language]
        #expect(values.contains(value))
        #expect(decoded.warnings == [])
    }

    @Test(
        arguments: [
            (#""platform":"""#, "platform must be ios, android, web or desktop"),
            (#""platform":"iPadOS""#, "platform must be ios, android, web or desktop; did you mean ios?"),
            (#""platform":"macOS""#, "platform must be ios, android, web or desktop; did you mean desktop?"),
            (#""platform":3"#, "platform must be a string; found a number: put it in double quotes"),
            (#""app_version":true"#, "app_version must be a string; found a truth value"),
            (#""app_version":"total""#, "app_version cannot be 'total', the name of a row in reports"),
            (#""app_version":"\#(String(repeating: "4", count: 257))""#, "app_version is longer than 256 bytes"),
            (#""app_version":\#(String(repeating: "4", count: 257))"#, "app_version is longer than 256 bytes"),
            (#""country":"""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""country":"419""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""country":"001""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""country":"XX""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""country":"T1""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""country":"ZZ""#, "country must be an ISO 3166-1 code of two letters, such as DE"),
            (#""language":"""#, "language must be a BCP 47 tag, such as en-US"),
            (#""language":"\#(String(repeating: "e", count: 9_000))""#, "language must be a BCP 47 tag, such as en-US"),
            (#""limit_ad_tracking":"yes""#, "limit_ad_tracking must be true or false; found a string"),
            (#""install_referrer":"a\u0000""#, "install_referrer contains U+0000 or is not valid Unicode"),
            (#""referrer_clicked_at":"1970-01-01T00:00:00Z""#, "it is before 2008-07-10, when no store was open"),
            (#""install_began_at":"2008-07-09T23:59:59Z""#, "it is before 2008-07-10, when no store was open"),
            (
                #""install_began_at":1795262300"#,
                "install_began_at must be a string with an RFC 3339 time; found a number: "
                    + "it looks like seconds since 1970, so write 2026-11-21T11:58:20Z"
            ),
            (
                #""referrer_clicked_at":"1795262300""#,
                "referrer_clicked_at must be an RFC 3339 time; found a number in quotes: "
                    + "it looks like seconds since 1970, so write 2026-11-21T11:58:20Z"
            ),
            (
                #""referrer_clicked_at":"2026-11-21T11:00:00""#,
                "referrer_clicked_at has no offset; add Z if it is UTC, else an offset such as +01:00"
            ),
            (#""install_began_at":{}"#, "install_began_at must be a string with an RFC 3339 time; found an object"),
        ] as [(String, String)]
    )
    func isLeftOutIfItIsUnreadable(_ field: String, _ reason: String) throws {
        let decoded = try decoded(field)
        let name = String(field.dropFirst().prefix { $0 != "\"" })
        let message = "the event is stored without \(name): \(reason)"
        #expect(decoded.warnings == [.init(code: .fieldLeftOut, field: name, message: message)])
        let event = decoded.event
        #expect([event.platform?.rawValue, event.appVersion, event.country, event.language] == [nil, nil, nil, nil])
        #expect(event.content == .install())
    }

    /// Play's library writes 0 for a time that it does not know. That is before every tap.
    @Test func aTimeBeforeTheStoresInjectsNothing() throws {
        let times =
            #""install_referrer":"click_id=tap","referrer_clicked_at":"2026-11-21T11:00:00Z","install_began_at":"#
        let zero = try decoded(times + #""1970-01-01T00:00:00Z""#).event
        #expect(zero.clickID == "tap")
        #expect(
            zero.content
                == .install(
                    Install(referrer: "click_id=tap", referrerClickedAt: Timestamp(rfc3339: "2026-11-21T11:00:00Z"))
                )
        )
        let tap = try touch(#"{"type":"link_click","channel":"search","clicked_at":"1970-01-18T23:26:26Z"}"#)
        #expect(tap.link.clickedAt == nil)
    }

    /// Also in `clicked_at`, in which every other mistake is an error.
    @Test(
        arguments: [
            (#""""#, "it is empty"), (#"" ""#, "it is empty"),
            ("0", "it is before 2008-07-10, when no store was open"),
            ("-62135596800", "it is before 2008-07-10, when no store was open"),
            ("-6.21355968E13", "it is before 2008-07-10, when no store was open"),
            (#""0""#, "it is before 2008-07-10, when no store was open"),
            (#""-62135596800""#, "it is before 2008-07-10, when no store was open"),
            (#""0000-00-00T00:00:00Z""#, "it is before 2008-07-10, when no store was open"),
            (#""0000-00-00 00:00:00""#, "it is before 2008-07-10, when no store was open"),
            (#""0001-01-01T00:00:00""#, "it is before 2008-07-10, when no store was open"),
            (#""-0001-11-30T00:00:00Z""#, "it is before 2008-07-10, when no store was open"),
            (#""1970-01-01""#, "it is before 2008-07-10, when no store was open"),
            (#""null""#, "it stands for a time that is not known"),
            (#""undefined""#, "it stands for a time that is not known"),
            (#""{click_time}""#, "it stands for a time that is not known"),
        ] as [(String, String)]
    )
    func aTimeThatIsNotKnownIsLeftOut(_ time: String, _ reason: String) throws {
        for (start, name) in [
            (#"{"type":"install""#, "referrer_clicked_at"), (#"{"type":"install""#, "install_began_at"),
            (#"{"type":"inbound_link","channel":"search""#, "clicked_at"),
        ] {
            let batch = try decode(#"\#(start),"device_id":"d","\#(name)":\#(time)}"#)
            #expect(batch.rejections == [])
            let warning = try #require(batch.events.first?.warnings.first)
            #expect(warning.code == .fieldLeftOut && warning.field == name)
            #expect(warning.message == "the event is stored without \(name): \(reason)")
        }
    }

    /// Whatever another program wrote into a link to the store.
    @Test(arguments: [8_193, 40_000, 300_000])
    func aReferrerOfAnyLengthKeepsItsInstall(_ length: Int) throws {
        let referrer = #""install_referrer":"\#(String(repeating: "x", count: length))""#
        let decoded = try decoded(referrer)
        #expect(decoded.event.content == .install())
        #expect(decoded.warnings.map(\.message).first?.hasSuffix("install_referrer is longer than 8192 bytes") == true)
        // The rest of the event counts as ever.
        let blanks = String(repeating: " ", count: EventLimits.event)
        #expect(try rejection(#"{"type":"install","device_id":"d",\#(referrer)\#(blanks)}"#).code == .tooLarge)
        // Lines are read together, and one by one.
        let lines = String(repeating: #"{"type":"install","device_id":"d",\#(referrer)}\#n"#, count: 2)
        #expect(try decode(lines, as: .ndjson).events.count == 2)
        #expect(try decode(lines + "{", as: .ndjson).events.count == 2)
    }

    /// The pages name the same fields.
    @Test func isListedInTheDocuments() throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        let lists = [
            ("events.md", "An app passes on", "\n\n"), ("event-reference.md", "**What is said of a device", "\n- **"),
        ]
        for (page, start, end) in lists {
            let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
            let section = try #require(text.range(of: start).map { text[$0.upperBound...] })
            let paragraph = section[..<(section.range(of: end)?.lowerBound ?? section.endIndex)]
            for field in EventField.allCases where field.isOfDevice {
                #expect(paragraph.contains("`\(field.key)`"), "\(page): \(field.key)")
            }
        }
    }

    /// Forms, lines and dead letters are read by the same decoder.
    @Test func isReadAlikeInEveryFormat() throws {
        let form = "device_id=d&url=shop%3A%2F%2Fa&language=sr__%23Latn&platform=IOS&country=419"
        let batch = try decode(form, as: .form, impliedType: .inboundLink)
        let line = try decode(
            #"{"type":"app_open","device_id":"d","language":"sr__#Latn","platform":"IOS","country":"419"}"#,
            as: .ndjson
        )
        for decoded in [try #require(batch.events.first), try #require(line.events.first)] {
            #expect(decoded.event.language == "sr-Latn" && decoded.event.platform == .ios)
            #expect(decoded.warnings.map(\.field) == ["country"])
        }
    }

    // MARK: - Declared properties

    @Test(
        arguments: [
            (#"["pro"]"#, "is an array; reports take a text, a number or a boolean of up to 256 bytes"),
            (#"{"a":1}"#, "is an object; reports take a text, a number or a boolean of up to 256 bytes"),
            (#""""#, "is empty"), (#"" \n""#, "is empty"),
            (#""\#(String(repeating: "é", count: 129))""#, "is longer than 256 bytes"),
            ("1\(String(repeating: "0", count: 256))", "is longer than 256 bytes"),
            ("1e256", "is longer than 256 bytes"),
            ("null", nil), ("true", nil), ("1.0", nil), (#""pro""#, nil),
            // It is shorter in form NFC, without the blanks, and as a double.
            (#""  \#(String(repeating: "e\u{301}", count: 128))""#, nil),
            ("0.\(String(repeating: "3", count: 300))", nil),
        ] as [(String, String?)]
    )
    func aDeclaredPropertyWithoutAValueIsNamed(_ value: String, _ problem: String?) throws {
        var rules = ReadingRules.none
        rules.declaredProperties = ["plan", "tier"]
        let decoded = try decoded(#""properties":{"plan":\#(value),"other":[]}"#, rules: rules)
        let field = "properties.plan"
        let expected = problem.map {
            DecodedEvent.Warning(
                code: .propertyWithoutValue,
                field: field,
                message: "\(field) is a declared property, but it \($0)"
            )
        }
        #expect(decoded.warnings == [expected].compactMap(\.self))
    }

    @Test(
        arguments: [
            ("1.0", "1"), ("1e0", "1"), ("-0", "0"), ("0.0e5", "0"), ("1.50", "1.5"), ("100", "100"),
            ("1e21", "1000000000000000000000"),
            ("9007199254740993", "9007199254740993"), ("9007199254740993.0", "9007199254740993"), ("1E-7", "1e-7"),
            ("0.000001", "0.000001"), ("-1.25e-9", "-1.25e-9"), ("4.9e-324", "5e-324"), ("0.1000", "0.1"),
            ("333333333.33333329", "333333333.3333333"),
            (" pro ", "pro"), ("cafe\u{301}", "caf\u{E9}"), ("1,\"a\":2", "1,\"a\":2"), ("01", "01"), ("true", "true"),
        ] as [(String, String)]
    )
    func aConditionIsSpelledAsReportsShowIt(_ text: String, _ shown: String) {
        #expect(PropertyValue.normalised(text).utf8.elementsEqual(shown.utf8))
    }
}
