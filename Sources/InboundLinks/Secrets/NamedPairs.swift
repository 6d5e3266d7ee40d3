import Text

/// Finds the values whose name stands beside them, as in `{"name": "access_token", "value": …}`, or in
/// `name=access_token&value=…`.
enum NamedPairs {
    typealias Unit = CollapsedText.Unit

    /// Where the keys of such values end, ascending.
    static func keys(in units: [Unit]) -> [Int] {
        var found: [Int] = []
        var name = SecretName()
        // Each search may read a whole object, so the work is limited. No real text comes near the limit.
        var budget = 4 * units.count + 4_096
        var objectEnd = 0
        for index in units.indices {
            let byte = units[index].byte
            name.take(byte)
            guard index >= objectEnd, !SecretName.isIgnored(byte), let match = name.match(inLoginResult: false) else {
                continue
            }
            var end = index + 1
            while end < units.count, budget > 0 {
                let mayGoOn = match == .beginning && RedactionScan.isNamePart(units[end].byte)
                guard mayGoOn || SecretName.isIgnored(units[end].byte) else { break }
                end += 1
                budget -= 1
            }
            if end == units.count || !RedactionScan.isNamePart(units[end].byte),
                let key = parameterKey(before: index, of: units)
            {
                addKeys(beside: key, of: units, to: &found, budget: &budget)
                continue
            }
            guard end < units.count, units[end].byte == UInt8(ascii: "\"") || units[end].byte == UInt8(ascii: "'")
            else { continue }
            var next = end + 1
            while next < units.count, RedactionScan.isBlank(units[next]) || units[next].byte == UInt8(ascii: "\\") {
                next += 1
            }
            guard next < units.count, units[next].byte == UInt8(ascii: ",") || units[next].byte == UInt8(ascii: "}")
            else { continue }
            objectEnd = addKeys(around: index, of: units, to: &found, budget: &budget)
        }
        return found.sorted()
    }

    // MARK: - Parameters

    /// The key of the parameter whose value, up to `index`, is a name, if the key is a word for a name: `name`,
    /// `p[0][key]`.
    private static func parameterKey(before index: Int, of units: [Unit]) -> Range<Int>? {
        var equals = index
        while equals >= 0, RedactionScan.isNamePart(units[equals].byte) || SecretName.isIgnored(units[equals].byte) {
            equals -= 1
        }
        guard equals > 0, units[equals].byte == UInt8(ascii: "=") else { return nil }
        var start = equals
        while start > 0, isKeyPart(units[start - 1].byte) { start -= 1 }
        let key = start..<equals
        return lastWord(of: key, in: units, isOneOf: ["name", "key", "field", "param", "parameter", "n", "k"]) == nil
            ? nil : key
    }

    /// Adds the keys `value` of the query around a key.
    private static func addKeys(
        beside key: Range<Int>,
        of units: [Unit],
        to found: inout [Int],
        budget: inout Int
    ) {
        let level = units[key.upperBound].level
        var start = key.lowerBound
        while start > 0, budget > 0, !endsQuery(units[start - 1], level) {
            start -= 1
            budget -= 1
        }
        var position = start
        var index = start
        while index <= units.count, budget > 0 {
            budget -= 1
            let isEnd = index == units.count || (index >= key.upperBound && endsQuery(units[index], level))
            // Also `;`: it separates parameters for some, and ends `&amp;`.
            if isEnd || units[index].byte == UInt8(ascii: "&") || units[index].byte == UInt8(ascii: ";") {
                var end = position
                while end < index, isKeyPart(units[end].byte) { end += 1 }
                if end < index, units[end].byte == UInt8(ascii: "="),
                    let last = lastWord(
                        of: position..<end,
                        in: units,
                        isOneOf: ["value", "val", "v", "content", "data", "text"]
                    )
                {
                    found.append(last)
                }
                position = index + 1
            }
            if isEnd { return }
            index += 1
        }
    }

    /// Whether the unit ends the parameters whose `=` has a level. An `&` of a lower level is outside of them.
    private static func endsQuery(_ unit: Unit, _ level: UInt8) -> Bool {
        switch unit.byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: " "), UInt8(ascii: "\n"):
            unit.level <= level
        case UInt8(ascii: "&"): unit.level < level
        default: false
        }
    }

    private static func isKeyPart(_ byte: UInt8) -> Bool {
        RedactionScan.isNamePart(byte) || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    /// The position of the last letter of a key whose last part is one of the words.
    private static func lastWord(of key: Range<Int>, in units: [Unit], isOneOf words: [StaticString]) -> Int? {
        var end = key.upperBound
        while end > key.lowerBound, units[end - 1].byte == UInt8(ascii: "]") { end -= 1 }
        var start = end
        while start > key.lowerBound, units[start - 1].byte.isASCIILetter { start -= 1 }
        for word in words where word.utf8CodeUnitCount == end - start {
            let matches = (0..<word.utf8CodeUnitCount).allSatisfy {
                units[start + $0].byte.lowercasedASCII == word.utf8Start[$0]
            }
            if matches { return end - 1 }
        }
        return nil
    }

    // MARK: - Objects

    /// Adds the keys `value` of the object around a position.
    ///
    /// - Returns: the end of the object.
    private static func addKeys(
        around position: Int,
        of units: [Unit],
        to found: inout [Int],
        budget: inout Int
    ) -> Int {
        var start = position
        var depth = 0
        while start >= 0, budget > 0 {
            budget -= 1
            if units[start].byte == UInt8(ascii: "}") { depth += 1 }
            if units[start].byte == UInt8(ascii: "{") {
                depth -= 1
                if depth < 0 { break }
            }
            start -= 1
        }
        guard start >= 0, depth < 0 else { return position }
        depth = 0
        var index = start
        while index < units.count, budget > 0 {
            budget -= 1
            switch units[index].byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if depth == 1, let end = valueKeyEnd(units, after: index) { found.append(end) }
            default: break
            }
            index += 1
        }
        return index
    }

    /// The last letter of the key `value`, or a word like it, that begins after a quote and ends before another.
    private static func valueKeyEnd(_ units: [Unit], after quote: Int) -> Int? {
        for word: StaticString in ["value", "val", "v", "content", "data", "text"] {
            let end = quote + 1 + word.utf8CodeUnitCount
            guard end < units.count, units[end].byte == units[quote].byte else { continue }
            let matches = (0..<word.utf8CodeUnitCount).allSatisfy {
                units[quote + 1 + $0].byte.lowercasedASCII == word.utf8Start[$0]
            }
            if matches { return end - 1 }
        }
        return nil
    }
}
