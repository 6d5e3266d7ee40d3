/// Finds the first place where a text is not JSON. It runs only after the parser has refused a text, because the parser
/// gives no position.
///
/// It accepts what ``JSONDocument`` accepts: the root is an object or an array, and escapes in strings are not checked.
/// It takes linear time, and memory for the depth only.
package struct JSONSyntaxScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var position = 0
    /// The open containers: true for an object.
    private var open: [Bool] = []

    /// The first error of a text; nil if the text is JSON.
    package static func firstError(
        in bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int = 1_024
    ) -> JSONSyntaxError? {
        var scanner = JSONSyntaxScanner(bytes: bytes, maximumDepth: maximumDepth)
        do throws(Failure) {
            try scanner.scan()
            return nil
        } catch {
            return scanner.located(error)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private struct Failure: Error {
        var offset: Int
        var problem: JSONSyntaxError.Problem
    }

    private func located(_ failure: Failure) -> JSONSyntaxError {
        var line = 1
        var column = 1
        for byte in bytes[..<failure.offset] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return JSONSyntaxError(offset: failure.offset, line: line, column: column, problem: failure.problem)
    }

    // MARK: - Grammar

    /// What may come next.
    private enum State {
        /// After `[`.
        case elementOrEnd
        /// After a comma in an array, at this offset.
        case element(comma: Int)
        /// After `{`.
        case keyOrEnd
        /// After a comma in an object, at this offset.
        case key(comma: Int)
        /// After a colon.
        case memberValue
        /// After a value in a container.
        case separator
    }

    private mutating func scan() throws(Failure) {
        skipBlanks()
        var state = try root()
        while !open.isEmpty {
            skipBlanks()
            state = try step(state)
        }
        try end()
    }

    private mutating func root() throws(Failure) -> State {
        let start = position
        let state: State
        do throws(Failure) {
            state = try value(expected: .container)
        } catch  where error.problem == .unquotedWord {
            throw unexpected(.container)
        }
        guard open.isEmpty else { return state }
        try end()
        position = start
        throw failure(.rootIsNoContainer)
    }

    private mutating func step(_ state: State) throws(Failure) -> State {
        switch state {
        case .elementOrEnd:
            return current == UInt8(ascii: "]") ? close() : try value(expected: .valueOrEnd)
        case .element(let comma):
            if current == UInt8(ascii: "]") { throw trailingComma(comma) }
            return try value(expected: .value)
        case .keyOrEnd:
            return current == UInt8(ascii: "}") ? close() : try key(expected: .keyOrEnd)
        case .key(let comma):
            if current == UInt8(ascii: "}") { throw trailingComma(comma) }
            return try key(expected: .key)
        case .memberValue:
            return try value(expected: .value)
        case .separator:
            let isObject = open.last == true
            if current == UInt8(ascii: ",") {
                position += 1
                return isObject ? .key(comma: position - 1) : .element(comma: position - 1)
            }
            if current == UInt8(ascii: isObject ? "}" : "]") { return close() }
            throw unexpected(isObject ? .commaOrBrace : .commaOrBracket)
        }
    }

    private mutating func close() -> State {
        position += 1
        open.removeLast()
        return .separator
    }

    private mutating func key(expected: JSONSyntaxError.Expected) throws(Failure) -> State {
        guard current == UInt8(ascii: "\"") else {
            if let byte = current, byte.isWordStart { throw failure(.unquotedWord) }
            throw unexpected(expected)
        }
        try string()
        skipBlanks()
        guard current == UInt8(ascii: ":") else { throw unexpected(.colon) }
        position += 1
        return .memberValue
    }

    /// Reads a value, or opens a container.
    private mutating func value(expected: JSONSyntaxError.Expected) throws(Failure) -> State {
        guard let byte = current else { throw failure(.textEnds(expected: expected)) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // The root is level 0.
            guard open.count <= maximumDepth else { throw failure(.tooDeep(levels: maximumDepth)) }
            open.append(byte == UInt8(ascii: "{"))
            position += 1
            return byte == UInt8(ascii: "{") ? .keyOrEnd : .elementOrEnd
        case UInt8(ascii: "\""):
            try string()
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
        case _ where byte.isWordStart:
            try word()
        default:
            throw unexpected(expected)
        }
        return .separator
    }

    private mutating func end() throws(Failure) {
        let rootEnd = position
        skipBlanks()
        guard let byte = current else { return }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { throw unexpected(.end) }
        throw failure(.secondValue(onNewLine: bytes[rootEnd..<position].contains(UInt8(ascii: "\n"))))
    }

    // MARK: - Tokens

    private mutating func string() throws(Failure) {
        position += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case 0..<0x20:
                throw failure(.controlCharacter(byte))
            case UInt8(ascii: "\\"):
                position += 1
                guard let escaped = current else { throw failure(.unclosedString) }
                // A control character is refused after a backslash, too.
                if escaped >= 0x20 { position += 1 }
            default:
                position += 1
            }
        }
        throw failure(.unclosedString)
    }

    private mutating func number() throws(Failure) {
        let start = position
        while let byte = current,
            byte.isWordPart || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        {
            position += 1
        }
        let token = bytes[start..<position]
        guard !Self.isNumber(token) else { return }
        position = start
        if token.elementsEqual("-Infinity".utf8) { throw failure(.foreignWord("-Infinity", spelling: nil)) }
        throw failure(.malformedNumber)
    }

    /// RFC 8259 section 6.
    private static func isNumber(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = token
        func digits() -> Bool {
            let count = rest.prefix { 0x30...0x39 ~= $0 }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        if rest.first == UInt8(ascii: "0") { rest = rest.dropFirst() } else if !digits() { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() else { return false }
        }
        return rest.isEmpty
    }

    private mutating func word() throws(Failure) {
        let start = position
        while let byte = current, byte.isWordPart { position += 1 }
        let word = bytes[start..<position]
        if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return }
        position = start
        for (foreign, spelling) in Self.foreignWords where word.elementsEqual(foreign.utf8) {
            throw failure(.foreignWord(foreign, spelling: spelling))
        }
        throw failure(.unquotedWord)
    }

    private static let foreignWords: [(word: String, spelling: String?)] = [
        ("NaN", nil), ("nan", nil), ("Infinity", nil), ("inf", nil),
        ("True", "true"), ("TRUE", "true"), ("False", "false"), ("FALSE", "false"),
        ("None", "null"), ("nil", "null"), ("undefined", "null"), ("NULL", "null"), ("Null", "null"),
    ]

    // MARK: - Bytes

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func failure(_ problem: JSONSyntaxError.Problem) -> Failure {
        Failure(offset: position, problem: problem)
    }

    private func trailingComma(_ comma: Int) -> Failure {
        Failure(offset: comma, problem: .trailingComma(before: bytes[position]))
    }

    private func unexpected(_ expected: JSONSyntaxError.Expected) -> Failure {
        guard let byte = current else { return failure(.textEnds(expected: expected)) }
        let found = found
        if byte == UInt8(ascii: "'") || found.isTypographicQuote { return failure(.wrongQuotes(found)) }
        if byte == UInt8(ascii: "/"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "/") || bytes[position + 1] == UInt8(ascii: "*")
        {
            return failure(.comment)
        }
        return failure(.unexpected(found, expected: expected))
    }

    /// The character at the position, which is inside the text.
    private var found: JSONSyntaxError.Found {
        var decoder = UTF8()
        var rest = bytes[position..<min(position + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return .invalidUTF8 }
        return .character(scalar)
    }
}

extension JSONSyntaxError.Found {
    fileprivate var isTypographicQuote: Bool {
        guard case .character(let scalar) = self else { return false }
        return 0x2018...0x201F ~= scalar.value || scalar.value == 0xAB || scalar.value == 0xBB || scalar.value == 0x60
    }
}

extension UInt8 {
    fileprivate var isWordStart: Bool {
        let letter = self | 0x20
        return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$")
    }

    fileprivate var isWordPart: Bool {
        isWordStart || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}
