import Text

/// Tags of languages by BCP 47 (RFC 5646), such as `en-US`. Their form is checked, not the registry of subtags.
package enum LanguageTag {
    /// The longest tag, in bytes: what RFC 5646, 4.4.1 asks every reader to take.
    package static let limit = 35

    /// The tag in the usual case of letters (RFC 5646, 2.1.1): `zh-Hant-TW`. Underscores, as phones write them
    /// (`en_US`), count as hyphens. Nil if it is no tag.
    package static func normalised(_ text: String) -> String? {
        guard text.utf8.count <= limit else { return nil }
        var subtags: [String] = []
        for subtag in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isHyphen) {
            guard (1...8).contains(subtag.count), subtag.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
                return nil
            }
            let name = String(decoding: subtag, as: UTF8.self).lowercased()
            let isFirst = subtags.isEmpty
            // After a singleton, such as the x of a private use, everything is in lower case.
            let isExtended = subtags.contains { $0.utf8.count == 1 }
            switch name.utf8.count {
            case 2 where !isFirst && !isExtended: subtags.append(name.uppercased())
            case 4 where !isFirst && !isExtended: subtags.append(name.prefix(1).uppercased() + name.dropFirst())
            default: subtags.append(name)
            }
        }
        guard let language = subtags.first, language.utf8.allSatisfy(\.isASCIILetter) else { return nil }
        // One letter: a private use, or one of the tags from before RFC 4646, such as i-klingon.
        return language.utf8.count > 1 || ((language == "x" || language == "i") && subtags.count > 1)
            ? subtags.joined(separator: "-") : nil
    }

    private static func isHyphen(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// The first language of a header `Accept-Language` (RFC 9110, 12.5.4); nil if it names none.
    package static func first(ofAccepted header: String) -> String? {
        let first = header.prefix { $0 != "," && $0 != ";" }
        return normalised(String(first.filter { $0 != " " && $0 != "\t" }))
    }

    /// The languages of a header `Accept-Language`, the most wanted first; at most 20 of them.
    package static func accepted(_ header: String) -> [String] {
        let ranges = header.split(separator: ",").prefix(20).compactMap { range -> (tag: String, weight: Double)? in
            let parts = range.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard let tag = parts.first.flatMap({ normalised(String($0)) }) else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
            return (tag, weight.flatMap { Double($0.dropFirst(2)) } ?? 1)
        }
        // A sort that keeps the order of equal weights.
        return ranges.enumerated().filter { $0.element.weight > 0 }.sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }.map(\.element.tag)
    }
}
