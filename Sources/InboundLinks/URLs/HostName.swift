import Foundation
import Text

/// The host of a URL in the one spelling that stands for all (RFC 3986, 6.2.2; UTS 46): in lower case, letters outside
/// ASCII as `xn--…`, without final dots.
package enum HostName {
    package static func normalised(_ host: ArraySlice<UInt8>) -> [UInt8] {
        var name = host.map(\.lowercasedASCII)
        if name.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) {
            name = ascii(name).map { Array($0.utf8) } ?? lowercased(URLEscapes.normalised(name[...]))
        }
        while name.count > 1, name.last == UInt8(ascii: ".") { name.removeLast() }
        return name
    }

    /// In lower case, but for the escapes: `%54` has become a `T`.
    private static func lowercased(_ host: [UInt8]) -> [UInt8] {
        var result = host
        var index = 0
        while index < host.count {
            if host[index] == UInt8(ascii: "%") {
                index += 3
            } else {
                result[index] = host[index].lowercasedASCII
                index += 1
            }
        }
        return result
    }

    /// Nil if this is no name.
    private static func ascii(_ host: [UInt8]) -> String? {
        guard let decoded = PercentDecoding.text(host, host.indices, plusIsSpace: false) else { return nil }
        let name = decoded.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCanonicalMapping
        // The full stop of Chinese and Japanese separates labels too.
        let labels = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "\u{3002}" }
        var encoded: [String] = []
        for label in labels {
            guard let text = Punycode.encoded(label), text.utf8.allSatisfy(isOfName) else { return nil }
            encoded.append(text)
        }
        return encoded.joined(separator: ".")
    }

    /// `_` is not allowed, and occurs.
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
