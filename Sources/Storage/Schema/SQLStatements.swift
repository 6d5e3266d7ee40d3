/// The statements of an SQL script. Citus makes an index only with a statement of its own, not in a script of several.
///
/// Reads what PostgreSQL calls lexical structure: strings, quoted names, dollar quotes and comments. Not known are
/// function bodies without quotes (`begin atomic`), which no migration has.
struct SQLStatements {
    /// In the order of the script, with their comments, without the semicolons.
    let all: [String]

    init(_ script: String) {
        var scanner = Scanner(script)
        var statements: [String] = []
        while let statement = scanner.next() { statements.append(statement) }
        all = statements
    }

    private struct Scanner {
        private let script: [UInt8]
        private var rest: ArraySlice<UInt8>

        init(_ text: String) {
            script = Array(text.utf8)
            rest = script[...]
        }

        /// Nil at the end, also if only comments are left.
        mutating func next() -> String? {
            let start = rest.startIndex
            var isEmpty = true
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: ";"):
                    let statement = script[start..<rest.startIndex]
                    rest.removeFirst()
                    return isEmpty ? next() : String(decoding: statement, as: UTF8.self)
                case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                    rest.removeFirst()
                    continue
                default: break
                }
                if rest.starts(with: "--".utf8) {
                    skip(through: "\n")
                    continue
                }
                if rest.starts(with: "/*".utf8) {
                    skipComment()
                    continue
                }
                isEmpty = false
                skipToken(byte)
            }
            return isEmpty ? nil : String(decoding: script[start...], as: UTF8.self)
        }

        private mutating func skipToken(_ byte: UInt8) {
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                rest.removeFirst()
                // A doubled quote ends one string and begins another.
                skip(through: String(UnicodeScalar(byte)))
            } else if rest.starts(with: "e'".utf8) || rest.starts(with: "E'".utf8) {
                rest.removeFirst(2)
                skipEscapeString()
            } else if byte == UInt8(ascii: "$"), let quote = dollarQuote {
                rest.removeFirst(quote.utf8.count)
                skip(through: quote)
            } else if Self.isOfName(byte) {
                rest = rest.drop(while: Self.isOfName)
            } else {
                rest.removeFirst()
            }
        }

        private mutating func skip(through end: String) {
            let end = Array(end.utf8)
            while !rest.isEmpty, !rest.starts(with: end) { rest.removeFirst() }
            rest = rest.dropFirst(end.count)
        }

        private mutating func skipEscapeString() {
            while let byte = rest.popFirst(), byte != UInt8(ascii: "'") {
                if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
            }
        }

        /// Comments of this form may contain each other.
        private mutating func skipComment() {
            var depth = 0
            repeat {
                if rest.starts(with: "/*".utf8) {
                    depth += 1
                    rest.removeFirst(2)
                } else if rest.starts(with: "*/".utf8) {
                    depth -= 1
                    rest.removeFirst(2)
                } else {
                    rest.removeFirst()
                }
            } while depth > 0 && !rest.isEmpty
        }

        /// `$$` or `$name$`; nil if the dollar is that of a parameter.
        private var dollarQuote: String? {
            let name = rest.dropFirst().prefix { Self.isOfName($0) && $0 != UInt8(ascii: "$") }
            guard rest.dropFirst(name.count + 1).first == UInt8(ascii: "$"),
                !(name.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false)
            else { return nil }
            return "$\(String(decoding: name, as: UTF8.self))$"
        }

        /// Names may contain dollars, which begin no quote there.
        private static func isOfName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                true
            default: false
            }
        }
    }
}
