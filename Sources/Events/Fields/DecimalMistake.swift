import Text

/// Finds the number that a sender probably meant by a text that is not a decimal number.
enum DecimalMistake {
    /// The number as it must be written: `19.90` for `19,90`, `€ 19.90` or `+19.90`, and `1249.00` for `1.249,00`. Nil
    /// if the text could mean two numbers, as `1,249` does, or none.
    static func meant(by text: String) -> String? {
        var digits = Array(text.utf8.prefix(65))
        guard digits.count <= 64, let first = digits.firstIndex(where: \.isASCIIDigit),
            let last = digits.lastIndex(where: \.isASCIIDigit), isDecoration(digits[(last + 1)...], before: false),
            isDecoration(digits[..<first], before: true)
        else { return nil }
        let isNegative = digits[..<first].contains(UInt8(ascii: "-"))
        let hasNoWhole = first > 0 && isMark(digits[first - 1])
        digits = (hasNoWhole ? [UInt8(ascii: "0"), digits[first - 1]] : []) + digits[first...last]
        digits.removeAll { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "_") }
        guard digits.allSatisfy({ $0.isASCIIDigit || isMark($0) }), let number = number(digits) else { return nil }
        let spelling = (isNegative ? "-" : "") + String(decoding: number, as: UTF8.self)
        return DecimalValue(spelling) == nil ? nil : spelling
    }

    /// Whether a text around a number is only the sign or the name of a currency, a sign, and marks.
    private static func isDecoration(_ text: ArraySlice<UInt8>, before isBefore: Bool) -> Bool {
        let letters = text.filter { $0.isASCIILetter }.count
        let others = text.filter {
            $0 < 0x80 && !$0.isASCIILetter && $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: " ")
        }
        let isSigned = others.allSatisfy { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || isMark($0) }
        // `Fr.20` is twenty, `.20` is not. In `20-` the sign may be that of the number.
        let isPlain = isBefore ? letters == 0 || !others.contains(where: isMark) : others != [UInt8(ascii: "-")]
        return letters <= 3 && isSigned && isPlain && others.count <= 2
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".")
    }

    /// - Parameter text: digits, commas and points; a digit first and last.
    private static func number(_ text: [UInt8]) -> [UInt8]? {
        let groups = text.split(whereSeparator: isMark)
        let marks = text.filter(isMark)
        guard let mark = marks.last, groups.count == marks.count + 1 else { return marks.isEmpty ? text : nil }
        let isLastOther = marks.dropLast().allSatisfy { $0 != mark }
        // All marks alike: those of thousands, unless there is only one.
        let hasFraction = isLastOther && (marks.count > 1 || mark == UInt8(ascii: ".") || groups[1].count != 3)
        if !hasFraction, marks.count == 1 || marks.contains(where: { $0 != mark }) { return nil }
        let whole = hasFraction ? groups.dropLast() : groups[...]
        guard whole.count == 1 || whole.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        return whole.flatMap(\.self) + (hasFraction ? [UInt8(ascii: ".")] + (groups.last ?? []) : [])
    }
}
