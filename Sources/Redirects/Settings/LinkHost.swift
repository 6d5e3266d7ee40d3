import InboundLinks
import Text

/// Names of hosts as they are compared: in lower case, with `xn--…` for letters outside of ASCII, without port and
/// final dot.
package enum LinkHost {
    /// The host that a `Host` header names; nil if it names none.
    package static func named(by header: String) -> String? {
        var name = header[...]
        if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
            guard name[colon...].dropFirst().utf8.allSatisfy(\.isASCIIDigit) else { return nil }
            name = name[..<colon]
        }
        return normalised(String(name))
    }

    /// A name of letters, digits, `-`, `_` and `.`, or an IPv6 address in brackets; nil for anything else.
    package static func normalised(_ name: String) -> String? {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        var bytes = isASCII ? name.utf8.map(\.lowercasedASCII) : HostName.normalised(ArraySlice(name.utf8))
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        guard let first = bytes.first, let last = bytes.last, bytes.count <= LinkLimits.host else { return nil }
        if first == UInt8(ascii: "["), last == UInt8(ascii: "]") {
            let inner = bytes.dropFirst().dropLast()
            let isAddress = inner.allSatisfy {
                $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            return isAddress && !inner.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.count <= 63
                && label.allSatisfy {
                    $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        return isName ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
