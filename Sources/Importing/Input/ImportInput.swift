import Gzip
import Foundation

/// The content of a file or of standard input, in pieces. Gzip is decompressed.
final class ImportInput {
    private static let pieceBytes = 1 << 20
    /// Of gzip, and at the start, where it is not known yet. It may become a thousand times as much.
    private static let compressedPieceBytes = 16 << 10
    private static let gzipMark: [UInt8] = [0x1F, 0x8B]

    /// For messages.
    let name: String
    /// Bytes on disk; nil for standard input and other streams.
    let size: Int?
    /// Bytes read from the disk so far.
    private(set) var bytesRead = 0
    private let descriptor: Int32
    private var inflater: GzipInflater?
    private var isAtStart = true
    private var isAtEnd = false
    /// What ``start(_:)`` has read and ``next()`` has not returned yet.
    private var ahead: [[UInt8]] = []

    /// - Parameter path: `-` is standard input.
    package init(path: String) throws(ImportError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unusableInput("the file '\(path)' cannot be opened: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isRegular && path != "-" ? Int(status.st_size) : nil
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// Whether the input can be read again, so that an interrupted import can continue.
    var isResumable: Bool { size != nil }

    /// The first bytes of the content, before ``next()`` returns them.
    ///
    /// - Parameter limit: how many bytes, at most.
    /// - Returns: also, whether these are all.
    func start(_ limit: Int) throws(ImportError) -> (bytes: [UInt8], isWhole: Bool) {
        var count = 0
        var isWhole = false
        while count <= limit, !isWhole {
            if let piece = try readNext() {
                ahead.append(piece)
                count += piece.count
            } else {
                isWhole = true
            }
        }
        return (Array(ahead.joined().prefix(limit)), isWhole)
    }

    /// The next bytes of the content; nil at the end.
    func next() throws(ImportError) -> [UInt8]? {
        ahead.isEmpty ? try readNext() : ahead.removeFirst()
    }

    private func readNext() throws(ImportError) -> [UInt8]? {
        while !isAtEnd {
            let piece = try read()
            if isAtStart {
                isAtStart = false
                if piece.starts(with: Self.gzipMark) { inflater = try makeInflater() }
            }
            guard !piece.isEmpty else {
                isAtEnd = true
                if let inflater, !inflater.isComplete {
                    throw .unusableInput("\(name): the gzip data is incomplete; was the file copied completely?")
                }
                return nil
            }
            guard let inflater else { return piece }
            var content: [UInt8] = []
            do {
                try piece.withUnsafeBytes { bytes in
                    try inflater.append(bytes) { room, fill in content.append(upTo: room, fill) }
                }
            } catch {
                throw .unusableInput("\(name): the gzip data is damaged near byte \(bytesRead)")
            }
            if !content.isEmpty { return content }
        }
        return nil
    }

    /// Starts again from the beginning. Only for a resumable input.
    func rewind() {
        lseek(descriptor, 0, SEEK_SET)
        bytesRead = 0
        inflater = nil
        isAtStart = true
        isAtEnd = false
        ahead = []
    }

    private func makeInflater() throws(ImportError) -> GzipInflater {
        do {
            return try GzipInflater()
        } catch {
            throw .unusableInput("\(name): there is not enough memory to decompress it")
        }
    }

    /// Reads a piece: at the start at least two bytes, if the input has them. Empty at the end.
    private func read() throws(ImportError) -> [UInt8] {
        let capacity = isAtStart || inflater != nil ? Self.compressedPieceBytes : Self.pieceBytes
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
            // A pipe may give a single byte, which does not show whether it is gzip.
            while count < (isAtStart ? Self.gzipMark.count : 1) {
                let read = Foundation.read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
                if read > 0 {
                    count += read
                } else if read == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else {
            throw .unusableInput("\(name) cannot be read: \(String(cString: strerror(failure)))")
        }
        bytesRead += piece.count
        return piece
    }
}

extension [UInt8] {
    /// Appends the bytes that a closure writes, at most `room`.
    fileprivate mutating func append(upTo room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
                count = fill(UnsafeMutableRawBufferPointer(bytes))
            }
        )
    }
}
