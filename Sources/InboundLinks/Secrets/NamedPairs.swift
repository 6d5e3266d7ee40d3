import Text

/// Finds the values whose name stands beside them, as in `{"name": "access_token", "value": …}`.
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
