import Text

/// A place in an app: a URL of the app's own scheme, or of any other that cannot run code in a browser.
struct AppAddress {
    /// In lower case.
    let scheme: String

    static let forbiddenSchemes: Set<String> = ["javascript", "data", "vbscript", "file", "blob", "about"]

    /// - Throws: `LinkFault` with the field `app_url`.
    init(_ text: String) throws(LinkFault) {
        func invalid(_ reason: String) -> LinkFault { LinkFault(.invalidURL, "app_url", "app_url \(reason)") }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) {
            throw invalid("must not contain blanks, control characters or backslashes")
        }
        guard let (scheme, _) = Self.parts(text) else {
            throw invalid("must be a whole URL, such as myapp://item/42")
        }
        if Self.forbiddenSchemes.contains(scheme) { throw invalid("must not have the scheme \(scheme)") }
        self.scheme = scheme
    }

    /// The scheme in lower case, and what follows its colon; nil if there is no scheme.
    static func parts(_ text: String) -> (scheme: String, rest: String)? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, first.isASCIILetter else { return nil }
        let isScheme = scheme.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
        guard isScheme else { return nil }
        return (
            String(decoding: scheme.map(\.lowercasedASCII), as: UTF8.self),
            String(text[text.utf8.index(after: colon)...])
        )
    }
}
