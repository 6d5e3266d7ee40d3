/// Recognises files that are not text in UTF-8 by their first bytes.
enum ForeignFormat {
    /// The bytes in which control characters are counted.
    private static let sampleBytes = 1 << 10

    /// What a file is and what to do, to follow its name in a message. Nil if no known format begins like this.
    static func advice(for start: [UInt8]) -> String? {
        if let known = signatures.first(where: { start.starts(with: $0.bytes) }) { return known.advice }
        if start.starts(with: zip) { return archive(start) }
        if start.dropFirst(257).starts(with: "ustar".utf8) { return "is a tar archive; unpack it first" }
        return encoding(start) ?? markup(start)
    }

    /// The same for bytes that are no text and of no known format.
    static func binaryAdvice(for start: [UInt8]) -> String? {
        let sample = start.prefix(sampleBytes)
        let controls = sample.count { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
        guard sample.contains(0) || controls * 10 > sample.count else { return nil }
        return "is a binary file; an import reads NDJSON, or CSV with --mapping"
    }

    private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let office = "save the sheet as CSV in UTF-8, and import that with --mapping"
    private static let convert = "write its rows as NDJSON or CSV first"

    private static let signatures: [(bytes: [UInt8], advice: String)] = [
        // An older version saves these as OLE, which other programs use too.
        (
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            "is an old Excel workbook or another Office file; \(office)"
        ),
        (Array("%PDF-".utf8), "is a PDF; ask for the data as CSV or NDJSON"),
        ([0x1F, 0x8B], "was compressed twice with gzip; decompress it once: gunzip"),
        (Array("BZh91AY&SY".utf8), compressed("bzip2", by: "bzcat")),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], compressed("xz", by: "xzcat")),
        ([0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", by: "zstdcat")),
        ([0x04, 0x22, 0x4D, 0x18], compressed("lz4", by: "lz4cat")),
        ([0x1F, 0x9D], compressed("compress", by: "zcat")),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "is a 7z archive; unpack it first"),
        (Array("Rar!\u{1A}\u{07}".utf8), "is a RAR archive; unpack it first"),
        (Array("PAR1".utf8), "is a Parquet file; \(convert)"),
        (Array("Obj\u{01}".utf8), "is an Avro file; \(convert)"),
        (Array("SQLite format 3\0".utf8), "is an SQLite database; \(convert)"),
    ]

    private static func compressed(_ format: String, by program: String) -> String {
        "is compressed with \(format), and an import reads only gzip; decompress it first: \(program) FILE | tributary import -"
    }

    private static func archive(_ start: [UInt8]) -> String {
        let parts = ["xl/", "[Content_Types].xml", "opendocument.spreadsheet"]
        guard parts.contains(where: { start.firstRange(of: Array($0.utf8)) != nil }) else {
            return "is a ZIP archive; unpack it first"
        }
        return "is an Excel workbook or another Office file; \(office)"
    }

    /// By a byte order mark, or by the zeros in characters of ASCII.
    private static func encoding(_ start: [UInt8]) -> String? {
        func advice(_ name: String) -> String { "is \(name); convert it first: iconv -f \(name) -t UTF-8" }
        if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0, 0xFE, 0xFF]) {
            return advice("UTF-32")
        }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return advice("UTF-16") }
        guard start.count >= 4 else { return nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (1...0x7E, 0, 1...0x7E, 0): return advice("UTF-16LE")
        case (0, 1...0x7E, 0, 1...0x7E): return advice("UTF-16BE")
        default: return nil
        }
    }

    private static func markup(_ start: [UInt8]) -> String? {
        let text = String(decoding: start.prefix(100).drop { $0 >= 0x80 || $0.isBlank }, as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return "is a page in HTML; was the page of an error or a login saved in place of the data?"
        }
        return text.hasPrefix("<?xml") ? "is XML; \(convert)" : nil
    }
}
