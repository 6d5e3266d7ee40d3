import Events
import InboundLinks
import Time
import JSONReading

/// Writes an export cell by cell, in the order of its columns. A nil cell is null: empty in CSV, `null` in NDJSON.
struct ExportRowWriter {
    /// The text that was written and not yet handed to the sink.
    private(set) var bytes: [UInt8] = []
    /// How many rows were begun.
    private(set) var rowCount = 0

    private let format: ExportFormat
    private let columns: [ReportColumn]
    private let columnCount: Int
    /// The text before each value of a JSON object, one after the other, and where each ends.
    private let leads: [UInt8]
    private let leadEnds: [Int]
    /// The column of the next cell.
    private var column = 0
    private var scratch: [UInt8] = []

    init(columns: [ReportColumn], format: ExportFormat) {
        self.columns = columns
        self.format = format
        columnCount = columns.count
        var leads: [UInt8] = []
        leadEnds = columns.enumerated().map { position, column in
            leads += "\(position == 0 ? "{" : ",")\(JSONWriter.quoted(column.name)):".utf8
            return leads.count
        }
        self.leads = leads
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the line of column names, in CSV only.
    mutating func header() {
        guard format == .csv else { return }
        bytes.append(contentsOf: columns.map { CSVWriter.field($0.name) }.joined(separator: ",").utf8)
        bytes.append(contentsOf: "\r\n".utf8)
    }

    mutating func beginRow() {
        rowCount += 1
        column = 0
    }

    /// Ends a row. Its remaining cells are null.
    mutating func endRow() {
        while column < columnCount { null() }
        switch format {
        case .csv: bytes.append(contentsOf: "\r\n".utf8)
        case .ndjson: bytes.append(contentsOf: "}\n".utf8)
        }
    }

    private mutating func beginCell() {
        switch format {
        case .csv: if column > 0 { bytes.append(UInt8(ascii: ",")) }
        case .ndjson: bytes.append(contentsOf: leads[(column == 0 ? 0 : leadEnds[column - 1])..<leadEnds[column]])
        }
        column += 1
    }

    mutating func null() {
        beginCell()
        if format == .ndjson { bytes.append(contentsOf: "null".utf8) }
    }

    /// Writes nulls up to a column.
    mutating func nulls(upTo name: String) {
        while column < columnCount, columns[column].name != name { null() }
    }

    /// Writes a UTF-8 text.
    mutating func text(_ text: UnsafeRawBufferPointer?) {
        guard let text else { return null() }
        beginCell()
        append(text)
    }

    mutating func text(_ text: String?) {
        guard var text else { return null() }
        beginCell()
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        switch format {
        case .csv: CSVWriter.append(text, to: &bytes)
        case .ndjson: JSONWriter.appendQuoted(text, to: &bytes)
        }
    }

    mutating func integer(_ number: Int64?) {
        guard let number else { return null() }
        beginCell()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes the digits of a number.
    mutating func number(_ spelling: String?) {
        guard let spelling else { return null() }
        beginCell()
        bytes.append(contentsOf: spelling.utf8)
    }

    mutating func decimal(millionths: Int128?) {
        number(millionths.map { ReportCell.decimal(millionths: $0) }?.plainText)
    }

    mutating func flag(_ flag: Bool?) {
        guard let flag else { return null() }
        beginCell()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    mutating func time(_ time: Timestamp?) {
        guard let time else { return null() }
        beginCell()
        quotedInJSON { $0.append(atMost: Timestamp.rfc3339Capacity, time.writeRFC3339) }
    }

    mutating func uuid(_ id: EventID?) {
        guard let id else { return null() }
        beginCell()
        quotedInJSON { $0.append(atMost: EventID.textCount, id.write) }
    }

    /// Lets `write` fill up to `count` bytes in place. A `String` for each cell would cost more than the cell itself.
    private mutating func append(atMost count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { text in
            let count = write(text)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
        }
    }

    @inline(__always)
    private mutating func quotedInJSON(_ body: (inout ExportRowWriter) -> Void) {
        if format == .ndjson { bytes.append(UInt8(ascii: "\"")) }
        body(&self)
        if format == .ndjson { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Writes a JSON object, given as text.
    mutating func json(_ object: UnsafeRawBufferPointer?) {
        guard let object else { return null() }
        beginCell()
        switch format {
        case .csv: CSVWriter.append(object, to: &bytes)
        case .ndjson: bytes.append(contentsOf: object)
        }
    }

    /// Writes a list of texts, none of which contains a comma.
    mutating func list<Elements: Sequence>(
        _ elements: Elements,
        _ withBytes: (Elements.Element, (UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        beginCell()
        scratch.removeAll(keepingCapacity: true)
        for element in elements {
            if !scratch.isEmpty { scratch.append(UInt8(ascii: ",")) }
            withBytes(element) { text in
                switch format {
                case .csv: scratch.append(contentsOf: text)
                case .ndjson: JSONWriter.appendQuoted(text, to: &scratch)
                }
            }
        }
        switch format {
        case .csv: scratch.withUnsafeBytes { CSVWriter.append($0, to: &bytes) }
        case .ndjson:
            bytes.append(UInt8(ascii: "["))
            bytes.append(contentsOf: scratch)
            bytes.append(UInt8(ascii: "]"))
        }
    }
}
