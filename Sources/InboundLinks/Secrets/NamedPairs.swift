import Text

/// Finds the values whose name stands beside them, as in `{"name": "access_token", "value": …}`, or in
/// `name=access_token&value=…`.
struct NamedPairs {
    private static let names: Set = ["name", "key", "field", "param", "parameter", "n", "k"]
    private static let values: Set = ["value", "val", "v", "content", "data", "text"]

    private let units: [CollapsedText.Unit]
    private var found: [Int] = []
    /// Each search may read a whole object, so the work is limited. No real text comes near the limit.
    private var budget: Int

    /// Where the keys of such values end, ascending.
    static func keys(in units: [CollapsedText.Unit]) -> [Int] {
        var pairs = NamedPairs(units: units, budget: 4 * units.count + 4_096)
        pairs.find()
        return pairs.found.sorted()
    }

    private init(units: [CollapsedText.Unit], budget: Int) {
        self.units = units
        self.budget = budget
    }

    private mutating func find() {
        var name = SecretName()
        var objectEnd = 0
        for index in units.indices {
            let byte = units[index].byte
            name.take(byte)
            guard index >= objectEnd, !SecretName.isIgnored(byte), let match = name.match(inLoginResult: false) else {
                continue
            }
            let end = move(from: index + 1) {
                SecretName.isIgnored($0.byte) || match == .beginning && RedactionScan.isNamePart($0.byte)
            }
            let isWhole = end == units.count || !RedactionScan.isNamePart(units[end].byte)
            if isWhole, let key = parameterKey(before: index) {
                addKeys(beside: key)
            } else if units.has("\"", at: end) || units.has("'", at: end) {
                let next = units.end(from: end + 1) { RedactionScan.isBlank($0) || $0 == "\\" }
                if units.has(",", at: next) || units.has("}", at: next) { objectEnd = addKeys(around: index) }
            }
        }
    }

    /// The end of the run of such units from a position.
    private mutating func move(from start: Int, while belongs: (CollapsedText.Unit) -> Bool) -> Int {
        var index = start
        while index < units.count, budget > 0, belongs(units[index]) {
            index += 1
            budget -= 1
        }
        return index
    }

    /// Whether the last word of a key is one of these: `p[0][key]`.
    private func endsInWord(_ key: Range<Int>, of words: Set<String>) -> Int? {
        var end = key.upperBound
        while end > key.lowerBound, units[end - 1].byte == "]" { end -= 1 }
        var start = end
        while start > key.lowerBound, end - start < 10, units[start - 1].byte.isASCIILetter { start -= 1 }
        let word = String(decoding: units[start..<end].map(\.byte.lowercasedASCII), as: UTF8.self)
        return words.contains(word) ? end - 1 : nil
    }

    private static func isKeyPart(_ byte: UInt8) -> Bool {
        RedactionScan.isNamePart(byte) || byte == "[" || byte == "]"
    }

    /// The key of the parameter whose value, up to `index`, is a name, if the key is a word for a name.
    private func parameterKey(before index: Int) -> Range<Int>? {
        var equals = index
        while equals >= 0, RedactionScan.isNamePart(units[equals].byte) || SecretName.isIgnored(units[equals].byte) {
            equals -= 1
        }
        guard equals > 0, units[equals].byte == "=" else { return nil }
        var start = equals
        while start > 0, Self.isKeyPart(units[start - 1].byte) { start -= 1 }
        return endsInWord(start..<equals, of: Self.names) == nil ? nil : start..<equals
    }

    /// Adds the keys `value` of the query around a key.
    private mutating func addKeys(beside key: Range<Int>) {
        let level = units[key.upperBound].level
        var index = key.lowerBound
        while index > 0, budget > 0, !Self.endsQuery(units[index - 1], level) {
            index -= 1
            budget -= 1
        }
        while index < units.count, budget > 0 {
            let end = move(from: index) { Self.isKeyPart($0.byte) }
            if units.has("=", at: end), let last = endsInWord(index..<end, of: Self.values) { found.append(last) }
            // Also `;`: it separates parameters for some, and ends `&amp;`.
            index = end
            while index < units.count, budget > 0, units[index].byte != "&", units[index].byte != ";" {
                if index >= key.upperBound, Self.endsQuery(units[index], level) { return }
                index += 1
                budget -= 1
            }
            if index >= key.upperBound, index < units.count, Self.endsQuery(units[index], level) { return }
            index += 1
        }
    }

    /// Whether the unit ends the parameters whose `=` has a level. An `&` of a lower level is outside of them.
    private static func endsQuery(_ unit: CollapsedText.Unit, _ level: UInt8) -> Bool {
        switch unit.byte {
        case "?", "#", "\"", " ", "\n": unit.level <= level
        case "&": unit.level < level
        default: false
        }
    }

    /// Adds the keys `value` of the object around a position.
    ///
    /// - Returns: the end of the object.
    private mutating func addKeys(around position: Int) -> Int {
        var start = position
        var depth = 0
        while start >= 0, budget > 0, depth >= 0 {
            if units[start].byte == "}" { depth += 1 }
            if units[start].byte == "{" { depth -= 1 }
            budget -= 1
            start -= 1
        }
        guard depth < 0 else { return position }
        var index = start + 1
        depth = 0
        while index < units.count, budget > 0 {
            budget -= 1
            switch units[index].byte {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth == 0 { return index }
            case "\"" where depth == 1, "'" where depth == 1:
                let end = units.end(from: index + 1) { $0.isASCIILetter }
                if end < units.count, units[end].byte == units[index].byte,
                    let last = endsInWord(index + 1..<end, of: Self.values)
                {
                    found.append(last)
                }
            default: break
            }
            index += 1
        }
        return index
    }
}
