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
        "en-" + String(repeating: "a-", count: 16) + "ab",
    ])
    func haveAForm(text: String) {
        #expect(LanguageTag.normalised(text) == nil)
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.8", "de-AT"), ("fr;q=0.5", "fr"), (" en-us , de", "en-US"), ("*", nil), ("", nil),
        ("*;q=0.1, de", nil),
    ])
    func areReadFromTheHeader(header: String, tag: String?) {
        #expect(LanguageTag.first(ofAccepted: header) == tag)
    }
}
