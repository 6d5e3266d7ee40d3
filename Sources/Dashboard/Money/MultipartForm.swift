/// A form with a file, as browsers send it (RFC 7578).
struct MultipartForm {
    struct Part {
        var name: String
        var isFile: Bool
        var content: ArraySlice<UInt8>
    }

    /// The dashboard's forms have fewer.
    private static let partLimit = 16

    private(set) var parts: [Part] = []

    /// - Returns: nil if the form is damaged, or has more parts than any of the dashboard's.
    init?(_ body: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else {
            return nil
        }
        // The first delimiter has no line before it.
        let delimiter = Array("--\(boundary)".utf8)
        guard body.starts(with: delimiter) else { return nil }
        var rest = body.dropFirst(delimiter.count)
        let next = Array("\r\n--\(boundary)".utf8)
        while !rest.starts(with: Array("--".utf8)) {
            guard parts.count < Self.partLimit, rest.starts(with: Self.lineEnd),
                let end = Self.position(of: next, in: rest)
            else { return nil }
            let part = rest[rest.startIndex..<end]
            rest = rest[(end + next.count)...]
            guard let headEnd = Self.position(of: Self.lineEnd + Self.lineEnd, in: part) else { return nil }
            let head = String(decoding: part[..<headEnd], as: UTF8.self)
            let lines = head.split(whereSeparator: \.isNewline)
            guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
                let name = Self.parameter("name", of: String(line))
            else { return nil }
            parts.append(
                Part(
                    name: name,
                    isFile: Self.parameter("filename", of: String(line)) != nil,
                    content: part[(headEnd + 4)...]
                )
            )
        }
    }

    private static let lineEnd = Array("\r\n".utf8)

    /// A parameter of a header field, such as `name` of `form-data; name="key"`.
    private static func parameter(_ name: String, of field: String) -> String? {
        for piece in field.split(separator: ";").dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == name else { continue }
            return String(pair[1].filter { $0 != "\"" })
        }
        return nil
    }

    /// Where some bytes begin, of which the first stands rarely in others.
    private static func position(of bytes: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        var start = slice.startIndex
        while let first = slice[start...].firstIndex(of: bytes[0]) {
            if slice[first...].starts(with: bytes) { return first }
            start = first + 1
        }
        return nil
    }
}
