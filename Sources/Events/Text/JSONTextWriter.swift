import JSONReading

/// Builds a JSON text.
struct JSONTextWriter {
    private(set) var bytes: [UInt8] = []

    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what is JSON already.
    mutating func append(_ json: String) {
        bytes.append(contentsOf: json.utf8)
    }

    mutating func append(raw json: some Sequence<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Appends a string of bytes, which should be UTF-8, in quotation marks.
    mutating func append(quoted text: some Sequence<UInt8>) {
        JSONWriter.appendQuoted(text, to: &bytes)
    }

    mutating func append(quoted text: String) {
        append(quoted: text.utf8)
    }
}
