import Text

/// One walk over a ``CollapsedText`` that finds the values of secrets.
struct RedactionScan {
    struct Replacement {
        /// The value in the raw text.
        var range: Range<Int>
        /// The quote in the raw text to put around `REDACTED` if a bare JSON value becomes a string; else empty.
        var quote: Range<Int>
    }

    typealias Unit = CollapsedText.Unit

    let units: [Unit]
    private let loginResult: Bool
    /// Where names end in the raw text, the last one first. Collapsing can decode the start of a name away:
    /// `50%access_token` contains `%ac`.
    private var plainEnds: [Int]
    /// The levels of the open quotes, ascending.
    var openQuotes: [UInt8] = []
    /// The levels of each `#` since the last quote, as bits. In a fragment, another `#` is part of the value.
    var fragmentLevels: UInt64 = 0
    /// The end of the current login result.
    private var loginResultEnd = 0
    /// How many URLs with the host `authorize` were not login results. Each check may read the rest of the text.
    private var otherAuthorizeURLs = 0
    /// Names before this position are not keys: no separator follows their run of name characters.
    var barrenEnd = 0

    init(_ raw: [UInt8], loginResult: Bool) {
        units = CollapsedText(raw).units
        plainEnds = raw.withUnsafeBufferPointer { SecretName.plainEnds(in: $0) }.reversed()
        self.loginResult = loginResult
    }

    mutating func replacements() -> [Replacement] {
        var found: [Replacement] = []
        var index = 0
        while index < units.count {
            guard let nameEnd = secretNameEnd(at: index), let value = value(afterName: nameEnd) else {
                pass(index)
                index += 1
                continue
            }
            while index < value.start {
                pass(index)
                index += 1
            }
            guard !value.isNothing else { continue }
            let end = end(ofValuesInside: value)
            found.append(replacement(value.start..<end, quote: value.quote))
            index = end
        }
        return found
    }

    /// The end of a value, or of a secret that begins inside it and ends later, as in texts that were cut and joined.
    ///
    /// Quotes and `#` inside the value do not count outside of it, so that a second redaction finds the same values.
    private mutating func end(ofValuesInside value: Value) -> Int {
        let (quotes, fragments) = (openQuotes, fragmentLevels)
        var end = value.end
        var index = value.start
        // Each search may read the rest of the text, so their number is limited.
        var looks = 0
        while index < end, looks < 64 {
            if let nameEnd = secretNameEnd(at: index), let inner = self.value(afterName: nameEnd) {
                end = max(end, inner.end)
                looks += 1
            }
            pass(index)
            index += 1
        }
        (openQuotes, fragmentLevels) = (quotes, fragments)
        return end
    }

    /// Updates the open quotes, the fragments and the login result for the next unit.
    private mutating func pass(_ index: Int) {
        let unit = units[index]
        switch unit.byte {
        case UInt8(ascii: "\""):
            while let open = openQuotes.last, open > unit.level { openQuotes.removeLast() }
            if openQuotes.last == unit.level {
                openQuotes.removeLast()
            } else {
                openQuotes.append(unit.level)
            }
            fragmentLevels = 0
        case UInt8(ascii: "#"):
            fragmentLevels |= 1 << UInt64(min(unit.level, 63))
        case UInt8(ascii: ":"):
            if index >= loginResultEnd, let end = loginResultEnd(from: index) { loginResultEnd = end }
        default:
            break
        }
    }

    // MARK: Names

    /// The end of a secret's name that begins at `index`, or that ends there because collapsing removed its start.
    private mutating func secretNameEnd(at index: Int) -> Int? {
        while let end = plainEnds.last, end < units[index].start { plainEnds.removeLast() }
        if plainEnds.last == Int(units[index].start) {
            plainEnds.removeLast()
            return index
        }
        return wholeNameEnd(at: index)
    }

    private func wholeNameEnd(at index: Int) -> Int? {
        switch units[index].byte | 0x20 {
        case UInt8(ascii: "a"), UInt8(ascii: "s"):
            for name in SecretName.everywhere {
                if let end = end(of: name, at: index) { return end }
            }
        case UInt8(ascii: "c"), UInt8(ascii: "i"):
            break
        default:
            return nil
        }
        guard loginResult || index < loginResultEnd, index == 0 || !Self.isNamePart(units[index - 1].byte) else {
            return nil
        }
        for name in SecretName.inLoginResult {
            if let end = end(of: name, at: index), end == units.count || !Self.isNamePart(units[end].byte) {
                return end
            }
        }
        return nil
    }

    func end(of name: StaticString, at index: Int) -> Int? {
        guard index + name.utf8CodeUnitCount <= units.count else { return nil }
        for offset in 0..<name.utf8CodeUnitCount
        where units[index + offset].byte.lowercasedASCII != name.utf8Start[offset] {
            return nil
        }
        return index + name.utf8CodeUnitCount
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    // MARK: Login results

    /// The end of the URL whose `://` is at `index`, if it reads as a login result: the host `authorize` and no
    /// `target_url`.
    private mutating func loginResultEnd(from index: Int) -> Int? {
        guard let hostEnd = end(of: "://authorize", at: index) else { return nil }
        // No real text has so many. From here on, the rest of the text counts as a login result.
        guard otherAuthorizeURLs < 16 else { return units.count }
        if hostEnd < units.count, Self.isNamePart(units[hostEnd].byte) { return nil }
        let isParameter = isParameterValue(schemeEnd: index)
        // The URL has the lowest level of its delimiters: `fb1%3A//authorize?` is only partly encoded.
        var level = units[index..<hostEnd].reduce(units[index].level) { min($0, $1.byte.isASCIILetter ? $0 : $1.level) }
        var end = hostEnd
        while end < units.count {
            let unit = units[end]
            switch unit.byte {
            case UInt8(ascii: "\""):
                if unit.level <= max(level, openQuotes.last ?? 0) { return end }
            case UInt8(ascii: "&"):
                // The URL is the value of a parameter, and the next parameter begins here.
                if unit.level < level, isParameter { return end }
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "="):
                level = min(level, unit.level)
            case UInt8(ascii: "t"):
                // A `target_url` of a higher level belongs to a parameter's value.
                if let nameEnd = self.end(of: "target_url=", at: end), units[nameEnd - 1].level <= level {
                    otherAuthorizeURLs += 1
                    return nil
                }
            default: break
            }
            end += 1
        }
        return end
    }

    /// Whether the URL whose scheme ends before `schemeEnd` is the value of a parameter: it follows a `=` of a lower
    /// level.
    private func isParameterValue(schemeEnd: Int) -> Bool {
        var start = schemeEnd
        while start > 0, Self.isNamePart(units[start - 1].byte) || units[start - 1].byte == UInt8(ascii: "+") {
            start -= 1
        }
        guard start > 0 else { return false }
        return units[start - 1].byte == UInt8(ascii: "=") && units[start - 1].level < units[schemeEnd].level
    }
}
