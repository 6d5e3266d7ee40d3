import Text

/// The parameters of a request's query, decoded as HTML forms encode them.
package struct QueryString: Equatable {
    private(set) var parameters: [(name: String, value: String)] = []

    /// - Parameter text: the text after `?`, still encoded.
    init(_ text: String) throws(Problem) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            guard let name = Self.decode(name), let value = Self.decode(value) else {
                throw Problem(.malformedRequest, "The query is not valid percent-encoded UTF-8.")
            }
            parameters.append((name, value))
        }
    }

    package static func == (first: QueryString, second: QueryString) -> Bool {
        first.parameters.elementsEqual(second.parameters, by: ==)
    }

    /// Percent-decodes a text, with `+` for a space. Nil if it has an invalid escape, contains U+0000, or is not UTF-8.
    package static func decode(_ text: some Sequence<UInt8>) -> String? {
        let bytes = Array(text)
        guard !bytes.contains(0) else { return nil }
        return PercentDecoding.text(bytes, bytes.indices, plusIsSpace: true)
    }
}
