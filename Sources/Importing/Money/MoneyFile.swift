import Events
import Time

/// The rows of a CSV file about money, each with its line.
struct MoneyFile {
    /// The name of the file, for messages.
    private let name: String
    private var reader = CSVReader()
    /// The columns of the first row, trimmed and in lower case.
    let columns: [String]

    /// - Throws: `ImportError.unusableInput`.
    init(_ bytes: [UInt8], name: String) throws(ImportError) {
        self.name = name
        let limit = RateFile.byteLimit
        guard bytes.count <= limit else {
            throw .unusableInput("\(name) has more than \(limit >> 20) MiB; divide it into several files")
        }
        reader.append(bytes)
        reader.finish()
        guard reader.next() == .row else {
            throw .unusableInput("\(name) has no first line with the names of its columns")
        }
        columns = reader.row.texts.map { Self.trimmed($0).lowercased() }
    }

    private static func trimmed(_ text: String) -> String { String(text.trimmed { $0 == " " || $0 == "\t" }) }

    /// The next row, trimmed; nil at the end.
    mutating func next() throws(ImportError) -> [String]? {
        switch reader.next() {
        case .row: return reader.row.texts.map(Self.trimmed)
        case .fault(let fault): throw fault.reason == .tooLong ? wrong("the row is too long") : wrong(fault.message)
        case .needsMore, .end: return nil
        }
    }

    /// What is wrong in the row that was read last.
    func wrong(_ message: String) -> ImportError {
        .unusableInput("\(name), line \(max(reader.row.line, 1)): \(message)")
    }

    /// - Parameter optional: what a row may lack.
    /// - Returns: the position of each column.
    func positions(of names: [String], optional: [String] = []) throws(ImportError) -> [String: Int] {
        for (position, column) in columns.enumerated() where !column.isEmpty {
            guard names.contains(column) || optional.contains(column) else {
                // In small letters, a secret would not be recognised as one.
                let said = column.utf8.count <= 32 ? "column '\(column)'" : "column \(position + 1)"
                throw wrong("unknown \(said); the columns are \((names + optional).joined(separator: ", "))")
            }
            guard !columns[..<position].contains(column) else { throw wrong("the column '\(column)' is there twice") }
        }
        for name in names where !columns.contains(name) {
            throw wrong("the column '\(name)' is missing; the first line is \(names.joined(separator: ","))")
        }
        return Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func day(_ text: String) throws(ImportError) -> CivilDate {
        guard let day = CivilDate(text) else { throw wrong("'\(text)' is not a date, such as 2026-11-24") }
        return day
    }

    func currency(_ text: String) throws(ImportError) -> String {
        guard let code = CurrencyCode.normalised(text) else {
            throw wrong("'\(text)' is not an ISO 4217 currency code, such as EUR")
        }
        return code
    }
}
