import Text

/// The values of secrets: where each begins and ends.
extension RedactionScan {
    struct Value {
        /// A position in `units`, as `end` is.
        var start: Int
        var end: Int
        /// The quote to put around `REDACTED` if a bare value becomes a string.
        var quote: Unit?
        /// Whether the value is empty, so that there is nothing to hide.
        var isNothing = false
    }

    struct Context {
        /// The level of the separator. Delimiters of a higher level are part of the value.
        var level: UInt8
        /// The level of the string that contains the name and the value; nil outside of a string.
        var enclosing: UInt8?
        /// The quote after the name.
        var keyQuote: Unit?

        /// Whether the unit is the quote at the end of that string.
        func isClosed(by unit: Unit) -> Bool {
            guard let enclosing else { return false }
            return unit.byte == "\"" && unit.level <= enclosing
        }
    }

    /// The value of a secret whose name ends before `nameEnd`; nil if no value follows, so that the name is not a key.
    mutating func value(afterName nameEnd: Int, match: SecretName.Match) -> Value? {
        var index = nameEnd
        if match == .beginning {
            guard nameEnd > barrenEnd else { return nil }
            // The rest of a longer name, and the brackets of an array: `access_token[0]`.
            while index < units.count, isInName(index) || SecretName.isIgnored(units[index].byte) { index += 1 }
        } else {
            index = subscriptEnd(from: nameEnd)
        }
        let runEnd = index
        var keyQuote: Unit?
        var enclosing = openQuotes
        while index < units.count {
            let unit = units[index]
            if unit.byte == "\"" {
                keyQuote = unit
                while let open = enclosing.last, open >= unit.level { enclosing.removeLast() }
            } else if unit.byte == "'" {
                keyQuote = unit
            } else if !Self.isBlank(unit.byte), unit.byte != "\\" {
                break
            }
            index += 1
        }
        guard index < units.count, units[index].byte == "=" || units[index].byte == ":" else {
            if match == .beginning { barrenEnd = runEnd }
            return nil
        }
        let separator = units[index]
        // A key in quotes is JSON, even if it stands before the `@` of an address: its value may go on after that `@`.
        if index == password.colon, keyQuote == nil { return value((index + 1)..<password.end) }
        if separator.byte == ":", keyQuote == nil {
            // A scheme, or a sentence: `Error validating access token: Session has expired`.
            if units.end(of: "://", at: index) != nil || (match == .word && isSentence(after: index, from: nameEnd)) {
                return nil
            }
        }
        index += units.has(">", at: index + 1) ? 2 : 1
        if separator.byte == "=" {
            return parameterValue(from: index, Context(level: separator.level, enclosing: enclosing.last))
        }
        let level = max(separator.level, keyQuote?.level ?? 0)
        return memberValue(from: index, Context(level: level, enclosing: enclosing.last, keyQuote: keyQuote))
    }

    /// The end of the brackets, control characters and `_` at the end of a name: `token[]`, `token[a]`, `token_`.
    private func subscriptEnd(from nameEnd: Int) -> Int {
        var index = nameEnd
        while index < units.count {
            if units[index].byte == "[" {
                var end = index + 1
                while end < units.count, isInName(end) { end += 1 }
                index = units.has("]", at: end) ? end + 1 : index + 1
            } else if SecretName.isIgnored(units[index].byte) {
                index += 1
            } else if units.beginsEscape(at: index), index + 2 < units.count, !Self.isNamePart(units[index + 2].byte) {
                index += 2
            } else {
                return index
            }
        }
        return index
    }

    /// Whether the unit may stand in a name or in its brackets, as control characters and their escapes may.
    private func isInName(_ index: Int) -> Bool {
        let byte = units[index].byte
        return Self.isNamePart(byte) || byte < 0x20 || byte == 0x7F || units.beginsEscape(at: index)
    }

    /// Whether a sentence goes on after the `:`, and not a value: a word of letters with a capital, then another word.
    private func isSentence(after colon: Int, from nameEnd: Int) -> Bool {
        guard colon == nameEnd, nameEnd >= 7, Self.isBlank(units[nameEnd - 6].byte),
            units[nameEnd - 7].byte.isASCIILetter, colon + 1 < units.count, Self.isBlank(units[colon + 1].byte)
        else { return false }
        let word = colon + 2
        guard word < units.count, units[word].byte.isASCIILetter, units[word].byte & 0x20 == 0 else { return false }
        let end = units.end(from: word + 1) { $0.isASCIILetter && $0 & 0x20 != 0 }
        guard 1..<16 ~= end - word - 1, end + 1 < units.count, Self.isBlank(units[end].byte) else { return false }
        return units[end + 1].byte.isASCIILetter && units[end + 1].byte & 0x20 != 0
    }

    /// The value in `access_token=…`: up to the `&` or the `#`.
    func parameterValue(from start: Int, _ context: Context) -> Value {
        if let end = redactedEnd(from: start) { return value(start..<end) }
        var index = start
        if start < units.count {
            if units[start].byte == "{" || units[start].byte == "[" {
                index = containerEnd(from: start, context)
            } else if opensValue(start, context) {
                index += 1
            }
        }
        while index < units.count {
            let unit = units[index]
            if context.isClosed(by: unit) { break }
            if unit.level <= context.level {
                if unit.byte == "&" { break }
                if unit.byte == "#", fragmentLevels & 1 << UInt64(min(unit.level, 63)) == 0 { break }
            }
            index += 1
        }
        return value(start..<index)
    }

    /// The value in `"access_token": …`: a string, a container, or a bare word or number.
    func memberValue(from start: Int, _ context: Context) -> Value {
        var index = units.end(from: start, while: Self.isBlank)
        guard index < units.count else { return value(index..<index) }
        let first = units[index]
        if context.isClosed(by: first), !opensValue(index, context) { return value(index..<index) }
        switch first.byte {
        case "\"", "'":
            let valueStart = index + 1
            index = valueStart
            while index < units.count, !(units[index].byte == first.byte && units[index].level <= first.level),
                !context.isClosed(by: units[index])
            {
                index += 1
            }
            return value(valueStart..<index)
        case "{", "[":
            let end = containerEnd(from: index, context)
            // An empty container contains no secret.
            if units[(index + 1)..<end].dropLast().allSatisfy(\.byte.isBlank) { return value(index..<index) }
            return value(index..<end, quote: context.keyQuote)
        default:
            let valueStart = index
            if let end = redactedEnd(from: index) { return value(index..<end) }
            while index < units.count, !context.isClosed(by: units[index]), !endsBareValue(units[index], context) {
                index += 1
            }
            // `null`, `true` and `false` are not secrets.
            for word: StaticString in ["null", "true", "false"] where units.end(of: word, at: valueStart) == index {
                return value(index..<index)
            }
            return value(valueStart..<index, quote: context.keyQuote)
        }
    }

    /// The end of a value that is redacted already and stands in a sentence of ours: `unknown field
    /// access_token=REDACTED; put …`. What follows must stay.
    private func redactedEnd(from start: Int) -> Int? {
        let end = start + Redaction.word.count
        guard end + 1 < units.count, units[start..<end].elementsEqual(Redaction.word, by: { $0.byte == $1 }),
            units[end].byte == ";" || units[end].byte == "'",
            units[end + 1].byte == " "
        else { return nil }
        return end
    }

    /// Whether a quote that could close the surrounding string opens the value instead. That happens in texts with
    /// unpaired quotes.
    func opensValue(_ index: Int, _ context: Context) -> Bool {
        guard context.isClosed(by: units[index]) else { return false }
        let next = units.end(from: index + 1, while: \.isBlank)
        guard next < units.count else { return false }
        return !",}]:&\"".utf8.contains(units[next].byte)
    }

    func endsBareValue(_ unit: Unit, _ context: Context) -> Bool {
        guard unit.level <= context.level else { return false }
        switch unit.byte {
        case ",", "}", "]", "&", "\n", "\r": return true
        // In prose, a value may contain a blank: `access_token: Bearer …`.
        default: return unit.byte.isBlank && context.keyQuote != nil
        }
    }

    /// The end of the object or array at `start`; the end of the text if its braces never close.
    func containerEnd(from start: Int, _ context: Context) -> Int {
        var depth = 0
        var string: UInt8?
        var index = start
        while index < units.count {
            let unit = units[index]
            if context.isClosed(by: unit) { return index }
            if let open = string {
                if unit.byte == "\"", unit.level <= open { string = nil }
            } else {
                switch unit.byte {
                case "\"": string = unit.level
                case "{", "[": depth += 1
                case "}", "]":
                    depth -= 1
                    if depth == 0 { return index + 1 }
                default: break
                }
            }
            index += 1
        }
        return index
    }

    /// Whether the unit is a blank. JSON in a query may have `+` for a space.
    static func isBlank(_ byte: UInt8) -> Bool { byte.isBlank || byte == "+" }

    func value(_ range: Range<Int>, quote: Unit? = nil) -> Value {
        Value(start: range.lowerBound, end: range.upperBound, quote: quote, isNothing: range.isEmpty)
    }

    func replacement(_ range: Range<Int>, quote: Unit?) -> Replacement {
        let raw = Int(units[range.lowerBound].start)..<Int(units[range.upperBound - 1].end)
        return Replacement(range: raw, quote: quote?.range ?? raw.lowerBound..<raw.lowerBound)
    }
}
