import Text

/// Tags of languages by BCP 47 (RFC 5646), such as `en-US`. Their form is checked, not the registry of subtags.
package enum LanguageTag {
    /// The longest tag, in bytes: what RFC 5646, 4.4.1 asks every reader to take.
    package static let limit = 35

    /// The tag in the usual case and order of subtags: `zh-Hant-TW`. Underscores, as phones write them (`en_US`), count
    /// as hyphens. Nil if it is no tag.
    package static func normalised(_ text: String) -> String? {
        guard text.utf8.count <= limit else { return nil }
        let subtags = text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isHyphen)
        guard subtags.allSatisfy(isSubtag) else { return nil }
        return tag(of: subtags)
    }

    /// The language that a device or a browser names; nil if it cannot be read.
    ///
    /// Beside tags it takes the locales of Java (`zh_TW_#Hant`, `sr__#Latn`), of ICU (`zh_CN@calendar=chinese`) and of
    /// POSIX (`en_US.UTF-8`), and of a header `Accept-Language` the first range (RFC 9110, 12.5.4). What is no subtag
    /// is passed over, and what makes a tag too long is left out, extensions first.
    package static func first(ofAccepted text: String) -> String? {
        let end = text.utf8.firstIndex(where: isEnd) ?? text.endIndex
        let locale = text[..<end].trimmedOfBlanks.utf8
        let subtags = locale.split(omittingEmptySubsequences: false) { isHyphen($0) || $0 == UInt8(ascii: "#") }
        guard let first = subtags.first, isSubtag(first) else { return nil }
        return tag(of: subtags.filter(isSubtag))
    }

    private static func isHyphen(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Whether something else than the tag follows: another range, a weight, an encoding, keywords of ICU.
    private static func isEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "."), UInt8(ascii: "@"): true
        default: false
        }
    }

    private static func isSubtag(_ subtag: Substring.UTF8View) -> Bool {
        (1...8).contains(subtag.count) && subtag.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    /// Codes of languages that have another one today (RFC 5646, 2.2.1: `Preferred-Value`).
    private static let successors = ["iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"]

    private static func tag(of subtags: [Substring.UTF8View]) -> String? {
        var parts: [String] = []
        var hasScript = false
        for subtag in subtags {
            let name = String(decoding: subtag, as: UTF8.self).lowercased()
            guard let language = parts.first else {
                parts.append(successors[name] ?? name)
                continue
            }
            // After a singleton, such as the x of a private use, everything is in lower case.
            let isExtended = language.utf8.count == 1 || parts.contains { $0.utf8.count == 1 }
            switch name.utf8.count {
            case 2 where !isExtended:
                // Java says some regions twice: th_TH_TH.
                let region = name == "uk" ? "GB" : name.uppercased()
                if !parts.contains(region) { parts.append(region) }
            case 4 where !isExtended && !hasScript && name.utf8.allSatisfy(\.isASCIILetter):
                // It stands before the region, but Java writes it behind.
                let place = parts.dropFirst().firstIndex { !isExtendedLanguage($0) } ?? parts.endIndex
                parts.insert(name.prefix(1).uppercased() + name.dropFirst(), at: place)
                hasScript = true
            default: parts.append(name)
            }
        }
        guard let language = parts.first, language.utf8.allSatisfy(\.isASCIILetter) else { return nil }
        switch language.utf8.count {
        case 1:
            // A private use, or one of the tags from before RFC 4646, such as i-klingon.
            guard language == "x" || language == "i", parts.count > 1 else { return nil }
        case 2...3:
            if language == "und" { return nil }
            if length(parts) > limit, let extensions = parts.firstIndex(where: { $0.utf8.count == 1 }) {
                parts.removeSubrange(extensions...)
            }
        default: return nil
        }
        while length(parts) > limit { parts.removeLast() }
        return parts.joined(separator: "-")
    }

    private static func isExtendedLanguage(_ part: String) -> Bool {
        part.utf8.count == 3 && part.utf8.allSatisfy(\.isASCIILetter)
    }

    private static func length(_ parts: [String]) -> Int { parts.reduce(parts.count - 1) { $0 + $1.utf8.count } }

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
