/// Finds the lines of a text that arrives in pieces. Blank lines are skipped.
struct LineReader {
    /// Bytes. Far above the 32 KiB of an event: a longer line is not NDJSON.
    static let longestLine = 8 << 20
    private static let newline = UInt8(ascii: "\n")

    /// For messages.
    let file: String

    private var buffer: [UInt8] = []
    private var position = 0
    /// No line ends before this position.
    private var searched = 0
    private var isAtEnd = false
    private var isAtStart = true

    /// The bytes and lines up to the end of the last line.
    private(set) var offset = 0
    private(set) var line = 0

    init(file: String) {
        self.file = file
    }

    mutating func append(_ piece: [UInt8]) {
        buffer.removeFirst(position)
        searched -= position
        position = 0
        buffer.append(contentsOf: piece)
    }

    /// Marks the end of the input.
    mutating func finish() {
        isAtEnd = true
    }

    /// Reads the next line, without its line break and without white space around it.
    ///
    /// - Returns: nil if more input is needed, or at the end.
    mutating func next<Result>(
        _ body: (_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> Result
    ) throws(ImportError) -> Result? {
        while true {
            let end = buffer[searched...].firstIndex(of: Self.newline)
            guard let end = end ?? (isAtEnd && position < buffer.count ? buffer.count : nil) else {
                searched = buffer.count
                guard buffer.count - position <= Self.longestLine else {
                    throw ImportError.unusableInput(
                        "\(file): line \(line + 1) is longer than \(Self.longestLine >> 20) MiB; this is not NDJSON"
                    )
                }
                return nil
            }
            var first = position
            var last = end
            if isAtStart, buffer[first..<last].starts(with: [0xEF, 0xBB, 0xBF]) { first += 3 }
            isAtStart = false
            while first < last, buffer[first].isBlank { first += 1 }
            while last > first, buffer[last - 1].isBlank { last -= 1 }
            let next = min(end + 1, buffer.count)
            offset += next - position
            line += 1
            position = next
            searched = next
            if first < last {
                return buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[first..<last]), line) }
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is white space in JSON.
    var isBlank: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}
