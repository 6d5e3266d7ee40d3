import InboundLinks
import Text

/// RFC 4180: a header, CRLF after every line, quotes where needed, nothing for an empty cell.
package enum CSVWriter {
    static func text(of table: ReportTable, as dialect: CSVDialect = .standard) -> String {
        let header = table.columns.map { dialect.field($0.name, isDated: false) }
        return dialect.beginning + header.joined(separator: dialect.separatorText) + "\r\n"
            + self.text(ofRows: table, as: dialect)
    }

    static func text(ofRows table: ReportTable, as dialect: CSVDialect) -> String {
        var text = ""
        let areDated = table.columns.map(\.isDated)
        for row in table.rows {
            for (position, cell) in row.enumerated() {
                if position > 0 { text += dialect.separatorText }
                if case .text(let value) = cell {
                    text += dialect.field(value, isDated: areDated[position])
                } else {
                    text += dialect.number(cell.plainText ?? "")
                }
            }
            text += "\r\n"
        }
        return text
    }

    /// If a spreadsheet may run a text as a formula, it gets a leading apostrophe: `=cmd` is shown, not run.
    ///
    /// - Parameters:
    ///   - separator: it gets quotes, as a comma always does.
    ///   - isSafe: whether the text is a formula on purpose.
    package static func field(
        _ text: String,
        separator: UInt8 = UInt8(ascii: ","),
        isSafe: Bool = false
    ) -> String {
        var text = text
        var field: [UInt8] = []
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &field, separator: separator, isSafe: isSafe) }
        return String(decoding: field, as: UTF8.self)
    }

    /// The text that ``field(_:)`` has written as this cell, without quotation marks: undoes the apostrophe.
    package static func text(ofField cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "'") else { return cell }
        let rest = Array(cell.utf8.dropFirst())
        return rest.withUnsafeBytes(isFormula) ? String(decoding: rest, as: UTF8.self) : cell
    }

    /// The same for UTF-8.
    static func append(
        _ text: UnsafeRawBufferPointer,
        to bytes: inout [UInt8],
        separator: UInt8 = UInt8(ascii: ","),
        isSafe: Bool = false
    ) {
        let quote = UInt8(ascii: "\"")
        let isFormula = !isSafe && isFormula(text)
        guard text.contains(where: { needsQuotes($0) || $0 == separator }) else {
            if isFormula { bytes.append(UInt8(ascii: "'")) }
            bytes.append(contentsOf: text)
            return
        }
        bytes.append(quote)
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// Whether a text begins with `=`, `+`, `-` or `@`, in full width too, a tab or a line break. Spreadsheets trim
    /// cells, so blanks, quotation marks and invisible characters may stand before the sign.
    ///
    /// Apostrophes may stand before all of these. So the guard of every text can be undone: if a cell begins with an
    /// apostrophe, and the rest of it is a formula, then the apostrophe is the guard.
    static func isFormula(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, !first.isASCIILetter, !first.isASCIIDigit else { return false }
        return text.withMemoryRebound(to: UInt8.self) { bytes in
            let start = bytes.firstIndex { $0 != UInt8(ascii: "'") } ?? bytes.endIndex
            if start < bytes.endIndex, (0x09...0x0D).contains(bytes[start]) { return true }
            let core = bytes[InvisibleText.trimming(bytes).lowerBound...]
            return signs.contains { core.starts(with: $0) }
        }
    }

    private static let signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"].map { Array($0.utf8) }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
