/// The first place where a text is not JSON (RFC 8259), and what is wrong there.
///
/// It never contains a stretch of the text: at most one character, or a word of a fixed list.
package struct JSONSyntaxError: Error, Equatable, Sendable {
    /// Bytes from the begin of the text.
    package let offset: Int
    /// From 1.
    package let line: Int
    /// In characters (Unicode scalars), from 1.
    package let column: Int
    package let problem: Problem

    /// What is wrong at the position.
    package enum Problem: Equatable, Sendable {
        case unexpected(Found, expected: Expected)
        case textEnds(expected: Expected)
        case unclosedString
        /// A control character that must be escaped.
        case controlCharacter(UInt8)
        /// The comma stands before this bracket.
        case trailingComma(before: UInt8)
        /// `'`, or a typographic quotation mark, in place of `"`.
        case wrongQuotes(Found)
        /// A word of other languages, such as `NaN` or `None`, and how JSON spells it; nil if JSON cannot.
        case foreignWord(String, spelling: String?)
        case unquotedWord
        case malformedNumber
        case comment
        /// The root is a number, a string, `true`, `false` or `null`.
        case rootIsNoContainer
        /// A second value after the root, perhaps on a line of its own.
        case secondValue(onNewLine: Bool)
        case tooDeep(levels: Int)
    }

    /// What the syntax allows at the position.
    package enum Expected: String, Sendable {
        case container = "an object or an array"
        case value = "a value"
        case valueOrEnd = "a value or ]"
        case key = "a key in double quotes"
        case keyOrEnd = "a key in double quotes or }"
        case colon = "a colon"
        case commaOrBrace = "a comma or }"
        case commaOrBracket = "a comma or ]"
        case end = "the end of the text"
    }

    /// One character of a text.
    package enum Found: Equatable, Sendable, CustomStringConvertible {
        case character(Unicode.Scalar)
        case invalidUTF8

        /// A printable character of ASCII as it is, any other as its code point.
        package var description: String {
            switch self {
            case .invalidUTF8: return "a byte that is not UTF-8"
            case .character(let scalar):
                if 0x21...0x7E ~= scalar.value { return String(Character(scalar)) }
                let digits = String(scalar.value, radix: 16, uppercase: true)
                return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
        }
    }

    /// A sentence: the place, what was found, and what to do.
    package var description: String {
        "line \(line), column \(column): \(reason)"
    }

    /// What was found, and what to do.
    package var reason: String {
        switch problem {
        case .unexpected(let found, let expected):
            "found \(found) where \(expected.rawValue) is expected"
        case .textEnds(let expected):
            "the text ends where \(expected.rawValue) is expected; perhaps it was cut off"
        case .unclosedString:
            "the text ends inside a string; close the string with a double quote"
        case .controlCharacter(0x0A), .controlCharacter(0x0D):
            "found a line break inside a string; close the string, or write the line break as \\n"
        case .controlCharacter(0x09):
            "found a tab inside a string; write it as \\t"
        case .controlCharacter(let byte):
            "found \(Found.character(Unicode.Scalar(byte))) inside a string; escape control characters"
        case .trailingComma(let bracket):
            "found a trailing comma before \(Found.character(Unicode.Scalar(bracket))); remove the comma"
        case .wrongQuotes(let found):
            "found \(found) where a double quote is expected; JSON takes only double quotes around texts and keys"
        case .foreignWord(let word, let spelling?):
            "found \(word); JSON spells it \(spelling)"
        case .foreignWord(let word, nil):
            "found \(word), which JSON does not have; send null, or leave the field out"
        case .unquotedWord:
            "found a word without quotes; put double quotes around texts and keys"
        case .malformedNumber:
            "found a malformed number; write it like 12.5, or put double quotes around a text"
        case .comment:
            "found a comment; JSON has none"
        case .rootIsNoContainer:
            "found a single value where an object or an array is expected"
        case .secondValue(onNewLine: true):
            "found a second value on a line of its own after the end of the first"
        case .secondValue(onNewLine: false):
            "found a second value after the end of the first"
        case .tooDeep(let levels):
            "the text is nested deeper than \(levels) levels"
        }
    }
}
