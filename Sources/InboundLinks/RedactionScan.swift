/// One walk over a ``CollapsedText`` that finds the values of secrets.
struct RedactionScan {
    struct Replacement {
        /// The value in the raw text.
        var range: Range<Int>
        /// A quote of the raw text to put around the word, where a bare JSON value becomes a string; else empty.
        var quote: Range<Int>
    }

    private typealias Unit = CollapsedText.Unit

    private let units: [Unit]
    private let loginResult: Bool
    /// Where names end in the raw text, the last first. Collapsing can eat the head of one: `50%access_token` has a `%ac`.
    private var plainEnds: [Int]
    /// The levels of the quotes that are open here, each deeper than the one before.
    private var openQuotes: [UInt8] = []
    /// The levels of each `#` since the last quote, as bits: in a fragment a further `#` is part of the value.
    private var fragmentLevels: UInt64 = 0
    /// The end of the login result that the walk is in.
    private var loginResultEnd = 0
    /// How many URLs of the host `authorize` were no login result. Each look costs the rest of the text.
    private var otherAuthorizeURLs = 0
    /// Up to here no name is a key: the run of name characters that it stands in is followed by no separator.
    private var barrenEnd = 0

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

    /// The end of a value, or of a secret that begins inside it and ends later, as in texts that someone has cut and joined.
    ///
    /// What is inside the value opens and closes nothing outside, so that a second redaction sees the same.
    private mutating func end(ofValuesInside value: Value) -> Int {
        let (quotes, fragments) = (openQuotes, fragmentLevels)
        var end = value.end
        var index = value.start
        // Each look may cost the rest of the text.
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

    /// Keeps count of what is open at the next unit.
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

    /// The end of the name that begins at `index`, or has just ended there without its head.
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

    private func end(of name: StaticString, at index: Int) -> Int? {
        guard index + name.utf8CodeUnitCount <= units.count else { return nil }
        for offset in 0..<name.utf8CodeUnitCount
        where units[index + offset].byte.lowercasedASCII != name.utf8Start[offset] {
            return nil
        }
        return index + name.utf8CodeUnitCount
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    // MARK: Login results

    /// The end of the URL whose `://` is at `index`, if it reads as a login result: the host `authorize` and no
    /// `target_url`.
    private mutating func loginResultEnd(from index: Int) -> Int? {
        guard let hostEnd = end(of: "://authorize", at: index) else { return nil }
        // Nobody sends so many; then all that looks like a secret is one.
        guard otherAuthorizeURLs < 16 else { return units.count }
        if hostEnd < units.count, Self.isNamePart(units[hostEnd].byte) { return nil }
        let level = units[index].level
        var end = hostEnd
        while end < units.count {
            let unit = units[end]
            if unit.byte == UInt8(ascii: "\""), unit.level <= max(level, openQuotes.last ?? 0) { break }
            // The URL is itself a parameter, and this is the next one.
            if unit.byte == UInt8(ascii: "&"), unit.level < level { break }
            if unit.byte == UInt8(ascii: "t"), self.end(of: "target_url=", at: end) != nil {
                otherAuthorizeURLs += 1
                return nil
            }
            end += 1
        }
        return end
    }

    // MARK: Values

    private struct Value {
        /// Units.
        var start: Int
        var end: Int
        /// A quote to put around the word, where a bare value becomes a string.
        var quote: Unit?
        /// Whether there is nothing to hide.
        var isNothing = false
    }

    private struct Context {
        /// How deep the separator is; deeper delimiters are part of the value.
        var level: UInt8
        /// The level of the string that the name and the value stand in.
        var enclosing: UInt8?
        /// The quote after the name.
        var keyQuote: Unit?

        /// Whether the unit is the quote at the end of that string.
        func isClosed(by unit: Unit) -> Bool {
            guard let enclosing else { return false }
            return unit.byte == UInt8(ascii: "\"") && unit.level <= enclosing
        }
    }

    /// The value of a secret whose name ends before `nameEnd`, or nil where no value follows: then it was no key.
    private mutating func value(afterName nameEnd: Int) -> Value? {
        guard nameEnd > barrenEnd else { return nil }
        var index = nameEnd
        // The rest of a longer name, and the brackets of an array: `access_token[0]`.
        while index < units.count,
            Self.isNamePart(units[index].byte) || units[index].byte == UInt8(ascii: "[")
                || units[index].byte == UInt8(ascii: "]")
        {
            index += 1
        }
        let runEnd = index
        var keyQuote: Unit?
        var enclosing = openQuotes
        while index < units.count {
            let unit = units[index]
            if unit.byte == UInt8(ascii: "\"") {
                keyQuote = unit
                while let open = enclosing.last, open >= unit.level { enclosing.removeLast() }
            } else if unit.byte == UInt8(ascii: "'") {
                keyQuote = unit
            } else if !Self.isBlank(unit), unit.byte != UInt8(ascii: "\\") {
                break
            }
            index += 1
        }
        guard index < units.count,
            units[index].byte == UInt8(ascii: "=") || units[index].byte == UInt8(ascii: ":")
        else {
            barrenEnd = runEnd
            return nil
        }
        let separator = units[index]
        index += 1
        if index < units.count, units[index].byte == UInt8(ascii: ">") { index += 1 }
        if separator.byte == UInt8(ascii: "=") {
            return parameterValue(from: index, Context(level: separator.level, enclosing: enclosing.last))
        }
        let level = max(separator.level, keyQuote?.level ?? 0)
        return memberValue(from: index, Context(level: level, enclosing: enclosing.last, keyQuote: keyQuote))
    }

    /// `access_token=…` to the `&` or the `#`.
    private func parameterValue(from start: Int, _ context: Context) -> Value {
        var index = start
        if start < units.count {
            if units[start].byte == UInt8(ascii: "{") || units[start].byte == UInt8(ascii: "[") {
                index = containerEnd(from: start, context)
            } else if opensValue(start, context) {
                index += 1
            }
        }
        while index < units.count {
            let unit = units[index]
            if context.isClosed(by: unit) { break }
            if unit.level <= context.level {
                if unit.byte == UInt8(ascii: "&") { break }
                if unit.byte == UInt8(ascii: "#"), fragmentLevels & 1 << UInt64(min(unit.level, 63)) == 0 { break }
            }
            index += 1
        }
        return value(start..<index)
    }

    /// `"access_token": …`: a string, a container, or a bare word or number.
    private func memberValue(from start: Int, _ context: Context) -> Value {
        var index = start
        while index < units.count, Self.isBlank(units[index]) { index += 1 }
        guard index < units.count else { return value(index..<index) }
        let first = units[index]
        if context.isClosed(by: first), !opensValue(index, context) { return value(index..<index) }
        switch first.byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let valueStart = index + 1
            index = valueStart
            while index < units.count, !(units[index].byte == first.byte && units[index].level <= first.level),
                !context.isClosed(by: units[index])
            {
                index += 1
            }
            return value(valueStart..<index)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let end = containerEnd(from: index, context)
            // An empty one holds no secret.
            if units[(index + 1)..<end].dropLast().allSatisfy(\.byte.isBlank) { return value(index..<index) }
            return value(index..<end, quote: context.keyQuote)
        default:
            let valueStart = index
            while index < units.count, !context.isClosed(by: units[index]), !endsBareValue(units[index], context) {
                index += 1
            }
            // `null`, `true` and `false` are no secrets.
            for word: StaticString in ["null", "true", "false"] where end(of: word, at: valueStart) == index {
                return value(index..<index)
            }
            return value(valueStart..<index, quote: context.keyQuote)
        }
    }

    /// Whether a quote that would close the string around it is rather the first of the value, in a text whose quotes do
    /// not pair.
    private func opensValue(_ index: Int, _ context: Context) -> Bool {
        guard context.isClosed(by: units[index]) else { return false }
        var next = index + 1
        while next < units.count, units[next].byte.isBlank { next += 1 }
        guard next < units.count else { return false }
        switch units[next].byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "&"),
            UInt8(ascii: "\""):
            return false
        default: return true
        }
    }

    private func endsBareValue(_ unit: Unit, _ context: Context) -> Bool {
        guard unit.level <= context.level else { return false }
        switch unit.byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "&"): return true
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
        // In prose a blank may be inside: `access_token: Bearer …`.
        default: return unit.byte.isBlank && context.keyQuote != nil
        }
    }
    /// The end of the object or array at `start`, or of the text where its braces never close.
    private func containerEnd(from start: Int, _ context: Context) -> Int {
        var depth = 0
        var string: UInt8?
        var index = start
        while index < units.count {
            let unit = units[index]
            if context.isClosed(by: unit) { return index }
            if let open = string {
                if unit.byte == UInt8(ascii: "\""), unit.level <= open { string = nil }
            } else {
                switch unit.byte {
                case UInt8(ascii: "\""): string = unit.level
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return index + 1 }
                default: break
                }
            }
            index += 1
        }
        return index
    }

    /// JSON in a query may have `+` for its blanks.
    private static func isBlank(_ unit: Unit) -> Bool {
        unit.byte.isBlank || unit.byte == UInt8(ascii: "+")
    }

    private func value(_ range: Range<Int>, quote: Unit? = nil) -> Value {
        Value(start: range.lowerBound, end: range.upperBound, quote: quote, isNothing: range.isEmpty)
    }

    private func replacement(_ range: Range<Int>, quote: Unit?) -> Replacement {
        let raw = Int(units[range.lowerBound].start)..<Int(units[range.upperBound - 1].end)
        return Replacement(range: raw, quote: quote?.range ?? raw.lowerBound..<raw.lowerBound)
    }
}
