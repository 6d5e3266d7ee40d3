/// NDJSON: one event in each line.
final class LineContent: ImportContent {
    private var reader: LineReader
    private(set) var fingerprint: SourceFingerprint

    init(file: String, appID: String) {
        reader = LineReader(file: file)
        fingerprint = SourceFingerprint(app: appID)
    }

    var offset: Int { reader.offset }
    var line: Int { reader.line }

    func append(_ piece: [UInt8]) { reader.append(piece) }

    func finish() { reader.finish() }

    func read(into batch: inout ImportBatch?) throws(ImportError) -> Bool {
        try reader.next { line, number -> Void in
            fingerprint.add(line)
            let id = fingerprint.id()
            batch?.append(line, at: ImportBatch.Place(line: number, id: id, deadLetterID: id))
        } != nil
    }

    func columns(of field: String, rule: Int) -> String? { nil }
}
