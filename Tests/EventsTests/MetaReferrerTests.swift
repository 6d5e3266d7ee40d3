import InboundLinks
import JSONReading
import Testing
import Time

@testable import Events

/// docs/events.md, *Ads of Meta*.
@Suite("Install referrers with a campaign of Meta")
struct MetaReferrerTests {
    /// The example on Meta's page "Understand Facebook App Ads Referral URLs".
    static let key = "2575590594a9cd809e5bfacf397f8c1ac730dbc38a3e137ecd1ab66591c8c3c9"
    static let nonce = "b7203c6a6fb633d16e9cf5c1"
    static let data =
        "afe56cf6228c6ea8c79da49186e718e92a579824596ae1d0d4d20d7793dca797bd4034ccf467bfae5c79a3981e7a2968c41949237e2b2d"
        + "b678c1c3d39c9ae564c5cafd52f2b77a3dc77bf1bae063114d0283b97417487207735da31ddc1531d5645a9c3e602c195a0ebf69c272"
        + "aa5fda3a2d781cb47e117310164715a54c7a5a032740584e2789a7b4e596034c16425139a77e507c492b629c848573c714a03a2e7d25"
        + "b9459b95842332b460f3682d19c35dbc7d53e3a51e0497ff6a6cbb367e760debc4194ae097498108df7b95eac2fa9bac4320077b510b"
        + "e3b7b823248bfe02ae501d9fe4ba179c7de6733c92bf89d523df9e31238ef497b9db719484cbab7531dbf6c5ea5a8087f95d59f5e4f8"
        + "9050e0f1dc03e464168ad76a64cca64b79"

    private static func content(_ data: String = data, _ more: String = "") -> String {
        #"{"app":123,"t":1795262000,"source":{"data":"\#(data)","nonce":"\#(nonce)"}\#(more)}"#
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (48...57).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func referrer(_ content: String) -> String {
        "utm_source=apps.facebook.com&utm_campaign=fb4a&utm_content=\(escaped(content))"
    }

    private func install(
        _ referrer: String,
        key: String? = key,
        _ more: String = ""
    ) throws -> (install: Install, event: DecodedEvent) {
        var rules = ReadingRules.none
        rules.metaReferrerKey = key.flatMap { MetaReferrerKey(hexadecimal: $0) }
        let body =
            #"{"type":"install","event_id":"\#(sampleID)","device_id":"d","install_referrer":"#
            + "\(JSONWriter.quoted(referrer))\(more)}"
        let batch = try BatchDecoder(appID: "app", receivedAt: receipt, rules: rules)
            .decode(Array(body.utf8), as: .json)
        #expect(batch.rejections == [])
        let decoded = try #require(batch.events.first)
        guard case .install(let install) = decoded.event.content else { throw UnexpectedContent() }
        return (install, decoded)
    }

    @Test func areATapOnAnAd() throws {
        let (install, decoded) = try install(Self.referrer(Self.content()))
        let link = try #require(install.link?.link)
        #expect(link.refs == ["Adams Test Campaign"])
        #expect(link.channel == .other)
        #expect(link.rule == .metaCampaign)
        #expect(link.rule.rawValue == "meta:campaign")
        #expect(link.paid && link.deferred)
        #expect(link.clickedAt == Timestamp(rfc3339: "2026-11-21T11:53:20Z"))
        #expect(decoded.warnings == [])
        let meta = try JSONDocument(reading: (decoded.event.properties ?? "").utf8).root["meta"]
        #expect(
            meta?.members.map { "\($0.key)=\($0.value.string ?? "")" } == [
                "campaign_id=987654", "campaign_name=Adams Test Campaign", "campaign_group_id=654321",
                "campaign_group_name=Adams Test Campaign Group", "adgroup_id=54321", "adgroup_name=Adams Test Ad Group",
                "ad_id=12345", "ad_objective_name=APP_INSTALLS", "account_id=444444",
            ]
        )
        #expect(install.referrer == Self.referrer(Self.content()))
    }

    /// Of Google Play with a layer of encoding more, and of Meta's own provider in the Facebook app.
    @Test(arguments: [
        escaped(referrer(content())), #"{"utm_content":\#(content()),"utm_source":"apps.facebook.com"}"#,
        #"{"utm_content":\#(JSONWriter.quoted(content()))}"#, content(),
        // With a layer more inside.
        referrer(escaped(content())),
        referrer(#"{"source":\#(JSONWriter.quoted(#"{"data":"\#(data)","nonce":"\#(nonce)"}"#))}"#),
    ])
    func areReadInEveryForm(_ referrer: String) throws {
        #expect(try install(referrer).install.link?.link.refs == ["Adams Test Campaign"])
    }

    @Test(arguments: [
        (referrer(content()) + "&is_ct=1&actual_timestamp=1795000000", true),
        (referrer(content()) + "&is_ct=0&actual_timestamp=1795000000", false),
        (#"{"utm_content":\#(content()),"is_ct":1,"actual_timestamp":1795000000}"#, true),
        (referrer(content()) + "&is_ct=1&actual_timestamp=1795000000000", true),
        (#"{"utm_content":\#(content()),"is_ct":"0"}"#, false), (content(data, #","is_ct":false"#), false),
    ])
    func countTapsAlone(_ referrer: String, _ isTap: Bool) throws {
        let (install, decoded) = try install(referrer)
        #expect((install.link != nil) == isTap)
        if isTap { #expect(install.link?.link.clickedAt == Timestamp(microseconds: 1_795_000_000_000_000)) }
        #expect(decoded.event.properties?.contains("Adams Test Campaign") == true)
        #expect(decoded.warnings == [])
    }

    /// One bit that was changed anywhere, another key, or none: the install is stored all the same.
    @Test func areStoredWithoutACampaignThatCannotBeRead() throws {
        for position in stride(from: 0, to: Self.data.count, by: 7) {
            var digits = Array(Self.data)
            digits[position] = digits[position] == "0" ? "1" : "0"
            let (install, decoded) = try install(Self.referrer(Self.content(String(digits))))
            #expect(install.link == nil)
            #expect(decoded.warnings == [.metaDataUnreadable])
            #expect(decoded.event.properties == nil)
        }
        for data in ["ab", "xyz", "\(Self.data)00", String(Self.data.dropLast(2))] {
            let referrer = Self.referrer(Self.content(data))
            let (install, decoded) = try install(referrer)
            #expect(install.link == nil && install.referrer == referrer)
            #expect(decoded.warnings == [.metaDataUnreadable])
        }
        let other = String(repeating: "0", count: 64)
        #expect(try install(Self.referrer(Self.content()), key: other).event.warnings == [.metaDataUnreadable])
        let (none, decoded) = try install(Self.referrer(Self.content()), key: nil)
        #expect(none.link == nil && none.referrer != nil)
        #expect(decoded.warnings == [.metaKeyMissing])
    }

    @Test(arguments: [
        "utm_source=google-play&utm_medium=organic", "utm_content=%7B%22a%22%3A1%7D", "utm_content=summer", "{", "{}",
        "utm_content=%7B%22source%22%3A%7B%22data%22%3A%22%22%2C%22nonce%22%3A%22%22%7D%7D",
    ])
    func ofOthersAreLeftAlone(_ referrer: String) throws {
        let (install, decoded) = try install(referrer)
        #expect(install.link == nil && install.referrer == referrer)
        #expect(decoded.warnings == [] && decoded.event.properties == nil)
    }

    /// The link that the first launch delivered tells of the same tap.
    @Test func completeTheLinkOfTheInstall() throws {
        let more = #","url":"myapp://soup?fb_ref=gift","properties":{"plan":"pro"}"#
        let (own, decoded) = try install(Self.referrer(Self.content()), more)
        #expect(own.link?.link.refs == ["gift"])
        #expect(own.link?.link.channel == .storyLinks)
        #expect(own.link?.link.paid == true)
        #expect(own.link?.link.targetURL == "myapp://soup?fb_ref=gift")
        let properties = try JSONDocument(reading: (decoded.event.properties ?? "").utf8).root
        #expect(properties["plan"]?.string == "pro" && properties["meta"]?["ad_id"]?.string == "12345")
        let (plain, _) = try install(Self.referrer(Self.content()), #","url":"myapp://soup""#)
        #expect(plain.link?.link.refs == ["Adams Test Campaign"])
        #expect(plain.link?.link.channel == .other)
        #expect(plain.link?.link.clickedAt != nil)
    }

    /// JSON writes a letter of Chinese in 6 bytes, and hexadecimal digits double them.
    @Test func mayBeLong() throws {
        let long = Self.referrer(Self.content()) + "&utm_term=" + String(repeating: "x", count: 7_000)
        #expect(try install(long).install.link?.link.refs == ["Adams Test Campaign"])
        let tooLong = try install(long + String(repeating: "x", count: 8_192))
        #expect(tooLong.install.referrer == nil && tooLong.install.link == nil)
        #expect(tooLong.event.warnings.map(\.field) == ["install_referrer"])
        #expect(tooLong.event.warnings.first?.message.contains("longer than 8192 bytes") == true)
    }

    /// The click came after the download had begun: nothing in the referrer is believed.
    @Test(arguments: [("11:58:00", false), ("11:58:20", false), ("11:58:21", true)])
    func areNotBelievedIfInjected(_ clicked: String, _ isInjected: Bool) throws {
        let times =
            #","referrer_clicked_at":"2026-11-21T\#(clicked)Z","install_began_at":"2026-11-21T11:58:20Z""#
        let (meta, _) = try install(Self.referrer(Self.content()), times)
        #expect(meta.isInjected == isInjected)
        #expect((meta.link == nil) == isInjected)
        let (plain, decoded) = try install("click_id=tap-1&utm_source=a", times)
        #expect(plain.isInjected == isInjected)
        #expect(decoded.event.clickID == (isInjected ? nil : "tap-1"))
        // What the event says itself stays.
        #expect(try install("click_id=tap-1", times + #","click_id":"own""#).event.event.clickID == "own")
    }

    /// The key is a secret.
    @Test func tellNobodyTheirKey() throws {
        let key = try #require(MetaReferrerKey(hexadecimal: " \(Self.key)\n"))
        var rules = ReadingRules.none
        rules.metaReferrerKey = key
        var dumped = ""
        dump(rules, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\(rules)", String(reflecting: rules), dumped] {
            #expect(!text.contains("37") && !text.contains("2575"), "\(text)")
        }
        for text in ["", "00", String(Self.key.dropLast()), Self.key + "M", String(Self.key.dropLast()) + "g"] {
            #expect(MetaReferrerKey(hexadecimal: text) == nil)
        }
    }
}
