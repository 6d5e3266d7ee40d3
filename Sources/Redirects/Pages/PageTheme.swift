import Foundation
import Markup
import Text

/// What the pages of an app's links have in common for one visitor: words, colour, picture.
package struct PageTheme: Sendable {
    package let appName: String
    /// Of the page, as `lang` names it.
    package let language: String
    let color: PageColor?
    /// The address of a picture.
    package let logo: String?
    private let words: [PageWord: String]

    /// - Parameter accepted: the visitor's header `Accept-Language`.
    init(_ app: LinkApp, accepted: String?) {
        appName = app.name
        language = app.pageWords.language(for: accepted)
        words = app.pageWords.languages[language] ?? [:]
        color = app.pageColor.flatMap(PageColor.init)
        logo = app.pageLogo
    }

    /// The word in the page's language; in English if the app does not have it.
    package func text(_ word: PageWord) -> PageText {
        let own = words[word]
        let text = own ?? word.english
        return PageText(
            // Most have no braces, and looking for them costs less than `replacing`.
            text.utf8.contains(UInt8(ascii: "{")) ? text.replacing("{app}", with: appName) : text,
            language: own == nil && language.prefix(while: { $0 != "-" }) != PageWords.english ? PageWords.english : nil
        )
    }

    /// Whether the language is written from right to left.
    var isRightToLeft: Bool {
        ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(language.prefix { $0 != "-" })
    }
}

/// A text of a page. Screen readers are told if it is not in the page's language.
package struct PageText: Sendable {
    package var text: String
    /// Nil: the page's.
    let language: String?

    init(_ text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }

    func appending(_ suffix: String) -> PageText { PageText(text + suffix, language: language) }

    var html: HTML { language.map { "<span lang=\"\($0)\">\(text)</span>" } ?? "\(text)" }
}

/// The colour of buttons.
struct PageColor: Sendable {
    /// `#` and six hexadecimal digits.
    let text: String
    /// What can be read on it.
    let textColor: String

    /// Nil if the text is not `#` and three or six hexadecimal digits.
    init?(_ text: String) {
        var digits = text.utf8.dropFirst().map { $0.hexadecimalValue }
        guard text.utf8.first == UInt8(ascii: "#"), [3, 6].contains(digits.count) else { return nil }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        let values = digits.compactMap { $0 }
        guard values.count == 6 else { return nil }
        self.text = "#" + values.map { String($0, radix: 16) }.joined()
        // WCAG 2.2, relative luminance. On every colour, black or white has a contrast of at least 4.5.
        let parts = stride(from: 0, to: 6, by: 2).map { position -> Double in
            let part = Double(values[position] << 4 | values[position + 1]) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        textColor = luminance > 0.179 ? "#000" : "#fff"
    }
}

/// The picture on pages.
enum PageLogo {
    /// Whether it can stand in a Content-Security-Policy: that names a picture by its path, and knows no query.
    static func isValid(_ address: String) -> Bool {
        guard address.utf8.count <= LinkLimits.tagURL, address.hasPrefix("https://"), !address.hasSuffix("/"),
            (try? WebAddress(address, field: "page_logo")) != nil
        else { return false }
        return address.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&()*+=:@%/".utf8.contains(byte)
        }
    }
}
