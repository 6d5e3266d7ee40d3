import InboundLinks
import Text

/// The parameters of a request's query, decoded as HTML forms encode them. Each name but ``repeatable`` occurs once, in
/// any spelling.
package struct QueryString: Equatable {
    /// The conditions of a report.
    private static let repeatable: Set = ["where", "with", "without"]

    package private(set) var parameters: [(name: String, value: String)] = []

    /// - Parameter text: the text after `?`, still encoded.
    package init(_ text: String) throws(Problem) {
        var names: Set<String> = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let encodedName = pair.prefix { $0 != UInt8(ascii: "=") }
            guard let name = Self.decode(encodedName), let value = Self.decode(pair.dropFirst(encodedName.count + 1))
            else { throw .undecodable(pair) }
            guard names.insert(name).inserted || Self.repeatable.contains(name) else {
                throw Problem(
                    .invalidParameter,
                    "A parameter is given twice; give each one once.",
                    field: Redaction.redact(name)
                )
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

extension Problem {
    fileprivate static func undecodable(_ pair: Substring.UTF8View) -> Problem {
        let hasNull = pair.contains(0) || String(Substring(pair)).contains("%00")
        return Problem(
            .malformedRequest,
            hasNull
                ? "The parameters contain the character U+0000 (%00); remove it."
                : "The parameters are not percent-encoded UTF-8: after each % come two hexadecimal digits."
        )
    }
}
