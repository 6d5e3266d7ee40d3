import JSONReading
import Redirects

/// The links of a file, in whichever form it has: the first bytes show it.
enum LinkContent {
    /// One link a line: NDJSON, or long links.
    case lines(LineReader)
    /// CSV; the header is the first row.
    case rows(CSVReader, header: [String]?)
    /// JSON that is one array, or one object with an array `links`, as Bitly's API gives it. Read whole.
    case document([UInt8], elements: [JSONNode]?, next: Int)

    /// Bytes of JSON that are read whole.
    static let longestDocument = 64 << 20

    /// - Parameter start: the first bytes; `isWhole`: whether these are all.
    /// - Parameter tellUnread: gets the columns of another service that are not read.
    /// - Returns: nil if the file has no line.
    /// - Throws: if the file has no links that an import can read, or their slugs are in no column that it knows: they
    ///   must not get others.
    init?(
        start: (bytes: [UInt8], isWhole: Bool),
        file: String,
        tellUnread: ([String]) -> Void = { _ in }
    ) throws(ImportError) {
        if let advice = ForeignFormat.advice(for: start.bytes) { throw .unusableInput("\(file) \(advice)") }
        var bytes = start.bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        bytes = bytes.drop { $0.isBlank }
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        switch bytes.first {
        case nil: return nil
        case UInt8(ascii: "["): self = .document([], elements: nil, next: 0)
        case UInt8(ascii: "{"):
            let isDocument = Self.isDocument(line, of: start)
            self = isDocument ? .document([], elements: nil, next: 0) : .lines(LineReader(file: file))
        case UInt8(ascii: "h") where line.starts(with: "http".utf8): self = .lines(LineReader(file: file))
        default:
            guard let (delimiter, header) = Self.header(line) else {
                throw .unusableInput(
                    "\(file) has no links that an import can read; 'tributary link import --help' names the forms"
                )
            }
            if ForeignLink.isDescribed(by: header) {
                let unread = ForeignLink.unread(header)
                guard unread.isEmpty || ForeignLink.hasPlace(header) else {
                    throw .unusableInput(
                        "\(file) has no column that an import knows as the slug; name the one that has it 'slug', or remove "
                            + "the others if the links are to get new slugs: " + unread.joined(separator: ", ")
                    )
                }
                if !unread.isEmpty { tellUnread(unread) }
            }
            var dialect = CSVDialect()
            dialect.delimiter = delimiter
            self = .rows(CSVReader(dialect: dialect), header: nil)
        }
    }

    /// Whether a file whose first line begins an object is one JSON text, not one link a line.
    private static func isDocument(_ line: [UInt8], of start: (bytes: [UInt8], isWhole: Bool)) -> Bool {
        if let first = try? JSONDocument(reading: line).root { return first["links"]?.kind == .array }
        if line.allSatisfy({ $0.isBlank || $0 == UInt8(ascii: "{") }) { return true }
        return start.isWhole && (try? JSONDocument(reading: start.bytes)) != nil
    }

    /// The delimiter that makes the first line a header of links, and the columns.
    private static func header(_ line: [UInt8]) -> (delimiter: UInt8, columns: [String])? {
        for delimiter in CSVReader.delimiters.map(\.byte) {
            let columns = CSVReader.columns(of: line, delimiter: delimiter, quote: UInt8(ascii: "\""))?.map(trimmed)
            if let columns, LinkReading.isHeader(columns) { return (delimiter, columns) }
        }
        return nil
    }

    private static func trimmed(_ name: String) -> String {
        name.split { $0 == " " || $0 == "\r" || $0 == "\r\n" }.joined(separator: " ")
    }

    mutating func append(_ piece: [UInt8], file: String) throws(ImportError) {
        switch self {
        case .lines(var reader):
            self = .document([], elements: nil, next: 0)
            reader.append(piece)
            self = .lines(reader)
        case .rows(var reader, let header):
            try reader.checkWaiting(in: file)
            self = .document([], elements: nil, next: 0)
            reader.append(piece)
            self = .rows(reader, header: header)
        case .document(var bytes, let elements, let next):
            self = .document([], elements: nil, next: 0)
            bytes += piece
            guard bytes.count <= Self.longestDocument else {
                throw .unusableInput("\(file) is one JSON text of more than 64 MiB; write one link a line (NDJSON)")
            }
            self = .document(bytes, elements: elements, next: next)
        }
    }

    /// Marks the end of the input.
    mutating func finish(file: String) throws(ImportError) {
        switch self {
        case .lines(var reader):
            reader.finish()
            self = .lines(reader)
        case .rows(var reader, let header):
            reader.finish()
            self = .rows(reader, header: header)
        case .document(let bytes, _, _):
            guard let root = try? JSONDocument(reading: bytes).root else {
                throw .unusableInput("\(file) is not JSON; was it copied completely?")
            }
            let list = root.kind == .array ? root : root["links"]
            self = .document([], elements: list?.kind == .array ? list.map { Array($0.elements) } : [root], next: 0)
        }
    }

    /// The next record; nil if more input is needed, or at the end.
    mutating func next(_ reading: LinkReading) throws(ImportError) -> LinkRecord? {
        switch self {
        case .lines(var reader):
            self = .document([], elements: nil, next: 0)
            defer { self = .lines(reader) }
            return try reader.next { line, number in
                LinkRecord(line: number, links: reading.read(line: Array(line)))
            }
        case .rows(var reader, var header):
            self = .document([], elements: nil, next: 0)
            defer { self = .rows(reader, header: header) }
            while true {
                switch reader.next() {
                case .needsMore, .end: return nil
                case .fault(let fault):
                    let line = LinkFault(.invalidValue, "line", fault.message)
                    return LinkRecord(line: reader.row.line, links: .failure(line))
                case .row:
                    guard reader.row.isUTF8 else {
                        if header == nil {
                            throw .unusableInput("the header of the CSV file is not UTF-8; save the file as UTF-8")
                        }
                        return LinkRecord(line: reader.row.line, links: .failure(.notUTF8))
                    }
                    guard let header else {
                        header = reader.row.texts.map(Self.trimmed)
                        continue
                    }
                    return LinkRecord(
                        line: reader.row.line,
                        links: reading.read(row: reader.row.texts, header: header)
                    )
                }
            }
        case .document(let bytes, let elements?, let next) where next < elements.count:
            self = .document(bytes, elements: elements, next: next + 1)
            return LinkRecord(line: next + 1, links: reading.read(element: elements[next]))
        case .document: return nil
        }
    }
}
