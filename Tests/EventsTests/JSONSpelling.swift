import RandomTesting

/// Spells values as JSON in many ways, all of which mean the same.
struct JSONSpelling {
    var random: SeededRandom

    mutating func object(_ members: [(String, String)]) -> String {
        let members = members.shuffled(using: &random).map {
            "\(blank())\(string($0.0))\(blank()):\(blank())\($0.1)\(blank())"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    mutating func array(_ elements: [String]) -> String {
        "[" + elements.map { blank() + $0 + blank() }.joined(separator: ",") + "]"
    }

    mutating func string(_ text: String) -> String {
        var json = "\""
        for unit in text.unicodeScalars {
            switch unit {
            case "\"", "\\": json += random.chance(50) ? "\\\(unit)" : escape(unit)
            case "/" where random.chance(20): json += "\\/"
            case _ where unit.value < 0x20 || random.chance(5): json += escape(unit)
            default: json.unicodeScalars.append(unit)
            }
        }
        return json + "\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private mutating func blank() -> String {
        random.chance(90) ? "" : random.pick([" ", "\t", "  "])
    }
}
