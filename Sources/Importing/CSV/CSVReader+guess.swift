extension CSVReader {
    /// The delimiters that mappings can name.
    static let delimiters: [(byte: UInt8, name: String)] = [
        (UInt8(ascii: ","), "comma"), (UInt8(ascii: ";"), "semicolon"), (UInt8(ascii: "\t"), "tab"),
        (UInt8(ascii: "|"), "pipe"),
    ]

    /// The columns of the first row of a text, if the text looks like CSV: some delimiter divides its first two rows
    /// into the same number of columns, two at least.
    ///
    /// - Parameter isWhole: whether the last line is whole.
    static func guess(_ text: [UInt8], isWhole: Bool) -> [String]? {
        delimiters.compactMap { delimiter in
            var dialect = CSVDialect()
            dialect.delimiter = delimiter.byte
            var reader = CSVReader(dialect: dialect)
            reader.append(text)
            if isWhole { reader.finish() }
            guard reader.next() == .row, reader.row.count > 1 else { return nil }
            let columns = reader.row.texts
            switch reader.next() {
            case .row: return reader.row.count == columns.count ? columns : nil
            case .end, .needsMore: return columns
            case .fault: return nil
            }
        }.max { $0.count < $1.count }
    }

    /// The columns of one row with another delimiter.
    static func columns(of row: [UInt8], delimiter: UInt8, quote: UInt8?) -> [String]? {
        var dialect = CSVDialect()
        dialect.delimiter = delimiter
        dialect.quote = quote
        var reader = CSVReader(dialect: dialect)
        reader.append(row)
        reader.finish()
        return reader.next() == .row ? reader.row.texts : nil
    }
}
