import Testing

@testable import Events

@Suite("Language tags")
struct LanguageTagTests {
    @Test(arguments: [
        ("de", "de"), ("EN_us", "en-US"), ("zh-hANT-tw", "zh-Hant-TW"), ("sr-Latn-RS", "sr-Latn-RS"),
        ("es-419", "es-419"), ("de-CH-1901", "de-CH-1901"), ("en-x-US", "en-x-us"), ("x-whatever", "x-whatever"),
        ("i-klingon", "i-klingon"), ("sgn-BE-FR", "sgn-BE-FR"),
    ])
    func haveTheUsualCaseOfLetters(text: String, tag: String) {
        #expect(LanguageTag.normalised(text) == tag)
        #expect(LanguageTag.normalised(tag) == tag)
    }

    @Test(arguments: [
        "", "*", "e", "x", "english, please", "en--US", "-en", "en-", "en-USAUSAUSA", "e1", "日本語", "en_US.UTF-8",
        "english", "und",
        "en-" + String(repeating: "a-", count: 16) + "ab",
    ])
    func haveAForm(text: String) {
        #expect(LanguageTag.normalised(text) == nil)
    }

    /// Of phones, systems and browsers. The same function reads the header of a click.
    @Test(
        arguments: [
            ("zh_TW_#Hant", "zh-Hant-TW"), ("zh_CN_#Hans", "zh-Hans-CN"), ("sr__#Latn", "sr-Latn"),
            ("sr_RS_#Cyrl", "sr-Cyrl-RS"), ("th_TH_TH_#u-nu-thai", "th-TH-u-nu-thai"), ("en__POSIX", "en-posix"),
            ("en_UA_#u-fw-mon-ms-metric-mu-celsius", "en-UA-u-fw-mon-ms-metric-mu-celsius"),
            ("zh_UA_#Hant_u-fw-mon-ms-metric-mu-celsius", "zh-Hant-UA"), ("zh-yue-Hant-HK", "zh-yue-Hant-HK"),
            ("en_US.UTF-8", "en-US"), ("de_DE.UTF-8@euro", "de-DE"), ("zh_CN@calendar=chinese", "zh-CN"),
            ("zh_CN@calendar=chinese;numbers=hanidec", "zh-CN"), ("C.UTF-8", nil), ("POSIX", nil), ("_GB", nil),
            ("iw-IL", "he-IL"), ("in", "id"), ("ji", "yi"), ("en_UK", "en-GB"), ("en-", "en"), ("not a tag", nil),
            ("de-AT,de;q=0.9,en;q=0.8", "de-AT"), ("fr;q=0.5", "fr"), (" en-us , de", "en-US"), ("*", nil), ("", nil),
            ("*;q=0.1, de", nil), ("de,\(String(repeating: "en;q=0.1,", count: 3_000))", "de"),
        ] as [(String, String?)]
    )
    func areReadFromWhatDevicesSay(text: String, tag: String?) throws {
        #expect(LanguageTag.first(ofAccepted: text) == tag)
        if let tag { #expect(LanguageTag.first(ofAccepted: tag) == tag) }
    }
}
