/// The address by which a user signs in, in small letters. Two spellings of one address are the same user.
struct EmailAddress: Hashable, Sendable {
    /// In bytes.
    private static let limit = 254

    let text: String

    /// Nil for a text that is no address. It has ASCII characters only: a domain with others is written as `xn--…`.
    init?(_ text: String) {
        // Blanks at its ends come with pasting.
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let address = words.first else { return nil }
        let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        // Before it is lower-cased: the small letter of the Kelvin sign is that of K.
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= Self.limit,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) })
        else { return nil }
        self.text = address.lowercased()
    }

    /// Those that only a quoted address may have, and that mean something in headers of mails.
    private static let forbidden = Set("\"(),:;<>[\\]".utf8)
}
