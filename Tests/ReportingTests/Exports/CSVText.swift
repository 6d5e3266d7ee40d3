/// Reads CSV by RFC 4180, independently of the writer.
struct CSVText {
    let header: [String]
    let rows: [[String]]

    /// Nil for invalid CSV: an open quote, a line without its CRLF, a row whose length differs from the header's.
    init?(_ text: String) {
        var lines: [[String]] = []
        var line: [String] = []
        var cell: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\"") where cell.isEmpty:
                while true {
                    guard let quoted = bytes.popFirst() else { return nil }
                    if quoted == UInt8(ascii: "\"") {
                        guard bytes.first == UInt8(ascii: "\"") else { break }
                        bytes.removeFirst()
                    }
                    cell.append(quoted)
                }
            case UInt8(ascii: ","):
                line.append(String(decoding: cell, as: UTF8.self))
                cell = []
            case UInt8(ascii: "\r"):
                guard bytes.popFirst() == UInt8(ascii: "\n") else { return nil }
                lines.append(line + [String(decoding: cell, as: UTF8.self)])
                (line, cell) = ([], [])
            case UInt8(ascii: "\""), UInt8(ascii: "\n"): return nil
            default: cell.append(byte)
            }
        }
        guard line.isEmpty, cell.isEmpty, let header = lines.first else { return nil }
        guard lines.allSatisfy({ $0.count == header.count }) else { return nil }
        self.header = header
        rows = Array(lines.dropFirst())
    }

    /// The rows as dictionaries by column.
    var records: [[String: String]] {
        rows.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }
}
