/// A report as it is sent.
package struct RenderedReport: Equatable, Sendable {
    package var bytes: [UInt8]
    /// The text in place of `bytes`, if it is too long for memory.
    package var long: LongText?
    /// A media type with its parameters: `text/csv; charset=utf-8; header=present`.
    package var contentType: String
    /// The name under which to save the report: letters, digits and `.-_`. Nil if it is not a file.
    package var fileName: String?
    /// What its reader must know beside its figures, in ASCII; each is sent as a header `Tributary-Notice`.
    package var notices: [String] = []
    /// What a reader should know of the figures, one sentence each.
    package var warnings: [String]

    package init(bytes: [UInt8], contentType: String, fileName: String? = nil, warnings: [String] = []) {
        self.bytes = bytes
        self.contentType = contentType
        self.fileName = fileName
        self.warnings = warnings
    }
}

/// A text that is read piece by piece while it is sent.
package struct LongText: Equatable, Sendable {
    package var size: Int
    /// Of its bytes; the same on every daemon.
    package var hash: UInt64
    /// Reads at most so many bytes at an offset.
    private let read: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]

    package init(size: Int, hash: UInt64, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]) {
        self.size = size
        self.hash = hash
        self.read = read
    }

    /// Calls `body` with each piece, one after the other.
    package func forEachPiece(_ body: ([UInt8]) async throws -> Void) async throws {
        var offset = 0
        while offset < size {
            let piece = try read(offset, 64 << 10)
            try await body(piece)
            offset += piece.count
        }
    }

    package static func == (first: LongText, second: LongText) -> Bool {
        (first.size, first.hash) == (second.size, second.hash)
    }
}
