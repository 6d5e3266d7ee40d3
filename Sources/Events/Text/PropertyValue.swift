import Foundation
package import JSONReading
import Text

/// The value that a declared property has in reports. `declared_properties` in SQL says the same of stored events.
package enum PropertyValue {
    /// The value as reports show it; nil if there is none.
    package static func value(of node: JSONNode) -> String? {
        switch node.kind {
        case .true: "true"
        case .false: "false"
        case .number: fitting(number(node.number ?? ""))
        case .string: fitting(spelling(node.string ?? ""))
        case .null, .invalidString, .array, .object: nil
        }
    }

    private static func fitting(_ text: String) -> String? {
        (1...EventLimits.propertyValue).contains(text.utf8.count) ? text : nil
    }

    /// Why there is none, as the end of a sentence; nil if there is one, or the property is null, which means absent.
    static func problem(with node: JSONNode) -> String? {
        let limit = EventLimits.propertyValue
        guard node.kind != .null, value(of: node) == nil else { return nil }
        switch node.kind {
        case .array, .object:
            return "is \(node.kind.phrase); reports take a text, a number or a boolean of up to \(limit) bytes"
        case .string where node.string?.trimmedOfBlanks.isEmpty == true: return "is empty"
        default: return "is longer than \(limit) bytes"
        }
    }

    /// The spelling that reports show for a text in a condition, if an event said it otherwise: `1` for `1.0`.
    package static func normalised(_ text: String) -> String {
        // A number alone is no document.
        guard let root = try? JSONDocument(reading: #"{"value":\#(text)}"#.utf8).root, root.count == 1,
            let number = root["value"]?.number
        else { return spelling(text) }
        return self.number(number)
    }

    /// Without blanks and invisible characters around it, in Unicode's form NFC.
    private static func spelling(_ text: String) -> String {
        let trimmed = String(text.trimmedOfBlanks)
        return trimmed.utf8.allSatisfy { $0 < 0x80 } ? trimmed : trimmed.precomposedStringWithCanonicalMapping
    }

    /// A number by RFC 8785, except that whole numbers keep all digits.
    ///
    /// - Parameter text: a number of JSON.
    private static func number(_ text: String) -> String {
        guard var number = Decimal(text) else { return text }
        if number.exponent < 0 {
            // The shortest spelling of the nearest double.
            guard let double = Double(text), double.isFinite, let rounded = Decimal(double.description) else {
                return text
            }
            number = rounded
        }
        return number.description
    }

    /// A number as its digits, without zeros at either end, times a power of ten.
    private struct Decimal: CustomStringConvertible {
        var isNegative: Bool
        var digits: Substring
        var exponent: Int

        init?(_ text: String) {
            let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
            guard let mantissa = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
            isNegative = mantissa.hasPrefix("-")
            let decimals = mantissa.split(separator: ".").dropFirst().first?.count ?? 0
            let all = mantissa.filter { $0 != "-" && $0 != "." }
            let significant = all.drop { $0 == "0" }
            let end = significant.lastIndex { $0 != "0" }.map(significant.index(after:))
            digits = significant[..<(end ?? significant.startIndex)]
            self.exponent = digits.isEmpty ? 0 : exponent - decimals + significant.count - digits.count
        }

        var description: String {
            // How many digits stand before the point.
            let whole = digits.count + exponent
            let text: String
            switch whole {
            case _ where digits.isEmpty: return "0"
            // More zeros change nothing: it is too long.
            case digits.count...: text = digits + String(repeating: "0", count: min(exponent, 1_000))
            case 1...: text = digits.prefix(whole) + "." + digits.dropFirst(whole)
            case -5...0: text = "0." + String(repeating: "0", count: -whole) + digits
            default: text = digits.prefix(1) + (digits.count > 1 ? "." : "") + digits.dropFirst() + "e\(whole - 1)"
            }
            return (isNegative ? "-" : "") + text
        }
    }
}
