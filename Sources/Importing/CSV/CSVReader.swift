/// Reads CSV row by row from pieces of any size, strictly by RFC 4180: a row that is not valid CSV is a fault and is
/// never guessed at.
///
/// A line break is `\n` or `\r\n`. Blank lines are skipped. After a fault, reading continues with the next line. The
/// bytes of columns are not checked for UTF-8.
package struct CSVReader {
    /// The result of one step of reading.
    package enum Step: Equatable {
        /// ``row`` holds the next row.
        case row
        /// ``row`` holds the line that could not be read.
        case fault(CSVFault)
        /// The reader needs another piece, or ``finish()``.
        case needsMore
        case end
    }

    /// Bytes. Far above the 32 KiB of an event.
    package static let longestRow = 1 << 20
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let dialect: CSVDialect
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var isAtStart = true

    /// The row that was read last.
    package private(set) var row = CSVRow()
    /// The bytes and lines up to the end of that row.
    package private(set) var offset = 0
    package private(set) var line = 0

    package init(dialect: CSVDialect = CSVDialect()) {
        self.dialect = dialect
    }

    package mutating func append(_ piece: [UInt8]) {
        buffer.removeFirst(position)
        position = 0
        buffer.append(contentsOf: piece)
    }

    /// Marks the end of the input.
    package mutating func finish() {
        isAtEnd = true
    }

    /// Reads the next row.
    package mutating func next() -> Step {
        if isAtStart {
            // A byte order mark.
            guard buffer.count - position >= 3 || isAtEnd else { return .needsMore }
            isAtStart = false
            if buffer[position...].starts(with: [0xEF, 0xBB, 0xBF]) { advance(to: position + 3) }
        }
        while position < buffer.count {
            switch parse() {
            case .row(let end, let lines):
                let isBlank = row.isBlank
                row.line = line + 1
                take(to: end, lines: lines)
                if !isBlank { return .row }
            case .fault(let fault):
                // Skip only the first line: the next lines may be rows again.
                let end = buffer[position...].firstIndex(of: Self.newline)
                guard let end = end.map({ $0 + 1 }) ?? (isAtEnd ? buffer.count : nil) else { return .needsMore }
                row.clear()
                row.line = line + 1
                take(to: end, lines: 1)
                return .fault(fault)
            case .needsMore:
                return .needsMore
            }
        }
        return isAtEnd ? .end : .needsMore
    }

    /// Skips a line without parsing it. Returns false if it needs more input, or at the end.
    package mutating func skipLine() -> Bool {
        guard position < buffer.count else { return false }
        let end = buffer[position...].firstIndex(of: Self.newline).map { $0 + 1 } ?? (isAtEnd ? buffer.count : nil)
        guard let end else { return false }
        isAtStart = false
        row.clear()
        take(to: end, lines: 1)
        return true
    }

    /// Says of a row without an end that it is too long to wait for: a fault is reported with its line, whose end is
    /// needed, too.
    ///
    /// - Parameter file: the name of the file, for the message.
    func checkWaiting(in file: String) throws(ImportError) {
        guard buffer.count - position > LineReader.longestLine else { return }
        throw .unusableInput(
            "\(file): line \(line + 1) is longer than \(LineReader.longestLine >> 20) MiB; this is not CSV, or a quote in "
                + "the line is not closed"
        )
    }

    private mutating func take(to end: Int, lines: Int) {
        var last = end
        while last > position, buffer[last - 1] == Self.newline || buffer[last - 1] == Self.carriageReturn { last -= 1 }
        row.source.append(contentsOf: buffer[position..<last])
        line += lines
        advance(to: end)
    }

    private mutating func advance(to end: Int) {
        offset += end - position
        position = end
    }

    private enum Parse {
        case row(end: Int, lines: Int)
        case fault(CSVFault)
        case needsMore
    }

    private mutating func parse() -> Parse {
        row.clear()
        return buffer.withUnsafeBufferPointer { bytes in
            var parser = RowParser(bytes: bytes, start: position, isAtEnd: isAtEnd, dialect: dialect)
            return parser.parse(into: &row)
        }
    }

    /// One attempt to parse the row that begins at `start`.
    private struct RowParser {
        let bytes: UnsafeBufferPointer<UInt8>
        let isAtEnd: Bool
        let dialect: CSVDialect
        /// The position at which the longest allowed row ends.
        private let limit: Int
        private var position: Int
        private var lines = 1

        init(bytes: UnsafeBufferPointer<UInt8>, start: Int, isAtEnd: Bool, dialect: CSVDialect) {
            self.bytes = bytes
            self.isAtEnd = isAtEnd
            self.dialect = dialect
            limit = start + longestRow
            position = start
        }

        mutating func parse(into row: inout CSVRow) -> Parse {
            while true {
                if position > limit { return fault(.tooLong, row) }
                let isQuoted = position < bytes.count && bytes[position] == dialect.quote
                if let stop = isQuoted ? quoted(into: &row) : plain(into: &row) { return stop }
                row.endColumn()
                // This is a delimiter, the end of the line or the end of the file.
                if position == bytes.count { return .row(end: position, lines: lines) }
                if bytes[position] == dialect.delimiter {
                    position += 1
                    // An empty last column may end the file without a line break.
                    if position == bytes.count, !isAtEnd { return .needsMore }
                    continue
                }
                position += bytes[position] == newline ? 1 : 2
                return .row(end: position, lines: lines)
            }
        }

        /// Parses a column without quotes. Nil: its end was found.
        private mutating func plain(into row: inout CSVRow) -> Parse? {
            let first = position
            while position < bytes.count {
                let byte = bytes[position]
                if byte == dialect.delimiter || byte == newline {
                    break
                }
                if byte == carriageReturn {
                    if position + 1 == bytes.count, !isAtEnd { return .needsMore }
                    if position + 1 < bytes.count, bytes[position + 1] == newline { break }
                    if position + 1 == bytes.count {
                        // The file ends with half a line break.
                        row.append(bytes[first..<position])
                        position += 1
                        return nil
                    }
                }
                if byte == dialect.quote { return fault(.quoteInText, row) }
                if position >= limit { return fault(.tooLong, row) }
                position += 1
            }
            if position == bytes.count, !isAtEnd { return .needsMore }
            row.append(bytes[first..<position])
            return nil
        }

        /// Parses a column in quotes. Nil: its end was found.
        private mutating func quoted(into row: inout CSVRow) -> Parse? {
            position += 1
            while true {
                if position > limit { return fault(.tooLong, row) }
                let first = position
                while position < bytes.count, bytes[position] != dialect.quote {
                    if bytes[position] == newline { lines += 1 }
                    if position >= limit { return fault(.tooLong, row) }
                    position += 1
                }
                guard position < bytes.count else { return isAtEnd ? fault(.openQuote, row) : .needsMore }
                row.append(bytes[first..<position])
                position += 1
                if position == bytes.count { return isAtEnd ? nil : .needsMore }
                let byte = bytes[position]
                if byte == dialect.quote {
                    row.append(bytes[position...position])
                    position += 1
                    continue
                }
                if byte == dialect.delimiter || byte == newline { return nil }
                if byte == carriageReturn {
                    if position + 1 == bytes.count {
                        guard isAtEnd else { return .needsMore }
                        position += 1
                        return nil
                    }
                    if bytes[position + 1] == newline { return nil }
                }
                return fault(.textAfterQuote, row)
            }
        }

        private func fault(_ reason: CSVFault.Reason, _ row: CSVRow) -> Parse {
            .fault(CSVFault(reason: reason, column: row.count + 1))
        }
    }
}
