import Text

/// An absolute http or https URL that a visitor may be sent to.
struct WebAddress {
    /// In lower case, without port and final dot.
    let host: String

    /// - Throws: `LinkFault` with this field.
    init(_ text: String, field: String) throws(LinkFault) {
        func invalid(_ reason: String) -> LinkFault { LinkFault(.invalidURL, field, "\(field) \(reason)") }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) {
            throw invalid("must not contain blanks, control characters or backslashes")
        }
        // By bytes: a combining mark after a delimiter makes one character of both.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw invalid("must be a whole URL") }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { throw invalid("must begin with https:// or http://") }
        let rest = text.utf8[colon...].dropFirst()
        guard rest.starts(with: "//".utf8) else { throw invalid("must begin with https:// or http://") }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw invalid("must not contain a user name or a password")
        }
        var name = authority
        if let end = authority.lastIndex(of: UInt8(ascii: ":")), !authority[end...].contains(UInt8(ascii: "]")) {
            let port = authority[end...].dropFirst()
            guard port.allSatisfy(\.isASCIIDigit),
                port.isEmpty || Int(String(Substring(port))).map({ $0 <= 65_535 }) == true
            else {
                throw invalid("has a port that is no number up to 65535")
            }
            name = authority[..<end]
        }
        guard let host = LinkHost.normalised(String(Substring(name))) else {
            throw invalid("has no valid host")
        }
        guard name.allSatisfy({ $0 < 0x80 }) else {
            throw invalid("has a host with letters outside of ASCII; write it as \(host)")
        }
        self.host = host
    }
}
