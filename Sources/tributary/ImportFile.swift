import Foundation

/// An input of `tributary import`, read line by line in bounded pieces.
struct ImportFile {
    /// A few whole lines.
    struct Piece {
        var bytes: [UInt8]
        /// The number of its first line, from 1.
        var firstLine: Int
    }

    private static let pieceBytes = 1 << 20
    /// Far above the 32 KiB of an event: what is longer is no NDJSON.
    private static let longestLine = 8 << 20
    private static let newline = UInt8(ascii: "\n")

    let path: String
    /// Bytes; nil for standard input and other streams.
    let size: Int?
    private let handle: FileHandle
    private var rest: [UInt8] = []
    private var line = 1
    private var isAtEnd = false

    init(path: String) throws {
        self.path = path
        if path == "-" {
            handle = .standardInput
            size = nil
        } else {
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw CommandFailure(
                    .badData,
                    "the file '\(path)' cannot be opened: \(String(cString: strerror(errno)))"
                )
            }
            self.handle = handle
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            size = (attributes?[.size] as? NSNumber)?.intValue
        }
    }

    /// The next lines; nil at the end.
    mutating func next() throws -> Piece? {
        while true {
            if let end = rest.lastIndex(of: Self.newline), rest.count >= Self.pieceBytes || isAtEnd {
                return take(through: end)
            }
            if isAtEnd {
                return rest.isEmpty ? nil : take(through: rest.count - 1)
            }
            if rest.count > Self.longestLine, !rest.contains(Self.newline) {
                throw CommandFailure(.badData, "\(path): line \(line) is longer than 8 MiB; this is no NDJSON")
            }
            if let data = try handle.read(upToCount: Self.pieceBytes), !data.isEmpty {
                rest.append(contentsOf: data)
            } else {
                isAtEnd = true
            }
        }
    }

    private mutating func take(through end: Int) -> Piece {
        let piece = Piece(bytes: Array(rest[...end]), firstLine: line)
        line += piece.bytes.count { $0 == Self.newline }
        rest.removeFirst(end + 1)
        return piece
    }
}
