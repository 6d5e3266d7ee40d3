import Events

/// CSV: a mapping makes events of its rows.
final class RowContent: ImportContent {
    private let mapping: ImportMapping
    private let file: String
    private let appID: String
    private var reader: CSVReader
    private var linesToSkip: Int
    /// Nil until the first row is read.
    private var mapper: RowMapper?
    private(set) var fingerprint: SourceFingerprint

    init(file: String, mapping: ImportMapping, appID: String) {
        self.mapping = mapping
        self.file = file
        self.appID = appID
        reader = CSVReader(dialect: mapping.dialect)
        linesToSkip = mapping.skippedLines
        fingerprint = SourceFingerprint(app: appID)
    }

    var offset: Int { reader.offset }
    var line: Int { reader.line }

    func append(_ piece: [UInt8]) { reader.append(piece) }

    func finish() { reader.finish() }

    func read(into batch: inout ImportBatch?) throws(ImportError) -> Bool {
        if linesToSkip > 0 {
            guard reader.skipLine() else { return false }
            linesToSkip -= 1
            addToFingerprint()
            return true
        }
        switch reader.next() {
        case .end: return false
        case .needsMore:
            try reader.checkWaiting(in: file)
            return false
        case .fault(let fault):
            guard mapper != nil || !mapping.hasHeader else {
                throw .unusableInput("\(file): the header cannot be read: \(fault.message)")
            }
            addToFingerprint()
            let reason = RowFault(code: .invalidRow, message: fault.message)
            batch?.append(.unmapped(reader.row, fingerprint, reason), line: reader.row.line)
        case .row:
            if try readsHeader() { return true }
            addToFingerprint()
            guard batch != nil else { return true }
            let events = mapper?.map(reader.row, fingerprint: fingerprint) ?? []
            for event in events { batch?.append(event, line: reader.row.line) }
            if events.isEmpty { batch?.skip() }
        }
        return true
    }

    func columns(of field: String, rule: Int) -> String? {
        mapper?.columns(of: field, rule: rule)
    }

    /// Whether the row is the header. Learns the columns from the first row.
    private func readsHeader() throws(ImportError) -> Bool {
        guard mapper == nil else { return false }
        var names = mapping.columnNames
        if mapping.hasHeader {
            names = reader.row.texts
        } else if names.isEmpty {
            names = (1...max(reader.row.count, 1)).map(String.init)
        }
        do throws(ImportError) {
            mapper = try RowMapper(mapping, columns: names, file: file, appID: appID)
        } catch {
            throw wrongDelimiter(columns: names.count) ?? error
        }
        if mapping.hasHeader { addToFingerprint() }
        return mapping.hasHeader
    }

    /// The error for a first row in which the mapping's columns are not found, but would be with another delimiter.
    private func wrongDelimiter(columns count: Int) -> ImportError? {
        let known = CSVReader.delimiters
        for delimiter in known where delimiter.byte != mapping.dialect.delimiter {
            let texts = CSVReader.columns(
                of: reader.row.source,
                delimiter: delimiter.byte,
                quote: mapping.dialect.quote
            )
            guard let texts, texts.count > count else { continue }
            let names = mapping.hasHeader ? texts : texts.indices.map { String($0 + 1) }
            guard count == 1 || (try? RowMapper(mapping, columns: names, file: file, appID: appID)) != nil else {
                continue
            }
            let used = known.first { $0.byte == mapping.dialect.delimiter }?.name ?? "the delimiter of the mapping"
            return .unusableInput(
                "\(file): the columns seem to be separated by \(delimiter.name) and not by \(used);"
                    + " write 'csv: {delimiter: \(delimiter.name)}' in the mapping"
            )
        }
        return nil
    }

    private func addToFingerprint() {
        reader.row.source.withUnsafeBufferPointer { fingerprint.add($0) }
    }
}
