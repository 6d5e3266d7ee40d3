import CZlib

/// Inflates a gzip stream (RFC 1952) piece by piece, never past a limit: a decompression bomb costs its limit and no
/// more.
package final class GzipInflater {
    /// Why a stream cannot be inflated.
    package enum Failure: Error, Equatable {
        /// Not gzip, or broken.
        case malformed
        /// More than the limit would come out.
        case tooLarge
    }

    private enum Progress {
        /// Before the first byte of a member; `isFirst`: no member has been seen.
        case betweenMembers(isFirst: Bool)
        case insideMember
        /// In zero bytes after the last member, with which some programs fill their last block.
        case padding
    }

    /// Makes room for at most `room` bytes of output, and calls `fill` once with it. `fill` returns how many bytes it
    /// wrote.
    package typealias Output = (_ room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Void

    /// 15 bits of window; 16 more: gzip only.
    private static let windowBits: Int32 = 15 + 16
    private static let stepBytes = 64 << 10

    /// Bytes that may still come out, and one more.
    private var room: Int
    /// zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private var progress = Progress.betweenMembers(isFirst: true)

    /// - Parameter limit: bytes of output; nil: as many as come.
    package init(limit: Int? = nil) throws(Failure) {
        // One byte above the limit distinguishes a stream that fits from a longer one.
        room = limit.map { $0 + 1 } ?? .max
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else { throw .malformed }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether the stream may end here: at least one member has come, and each is whole.
    package var isComplete: Bool {
        switch progress {
        case .betweenMembers(let isFirst): !isFirst
        case .insideMember: false
        case .padding: true
        }
    }

    private var isPadding: Bool {
        if case .padding = progress { true } else { false }
    }

    /// Takes the next piece of the stream.
    ///
    /// - Parameter output: gets what the piece inflates to, in parts. After `tooLarge` it has got one byte more than
    ///   the limit.
    package func append(_ piece: UnsafeRawBufferPointer, to output: Output) throws(Failure) {
        guard let start = piece.bindMemory(to: UInt8.self).baseAddress else { return }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(piece.count)
        defer {
            stream.pointee.next_in = nil
            stream.pointee.avail_in = 0
        }
        var isOutputPending = false
        while stream.pointee.avail_in > 0 || isOutputPending {
            if isComplete {
                let rest = piece.suffix(Int(stream.pointee.avail_in))
                if isPadding || rest.first == 0 {
                    progress = .padding
                    // As `gzip -dc` does. Nothing may follow.
                    guard rest.allSatisfy({ $0 == 0 }) else { throw .malformed }
                    return
                }
                // Members may follow each other (RFC 1952 section 2.2).
                guard inflateReset(stream) == Z_OK else { throw .malformed }
            }
            progress = .insideMember
            var code = Z_OK
            output(min(Self.stepBytes, room)) { bytes in
                stream.pointee.next_out = bytes.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(bytes.count)
                code = inflate(stream, Z_NO_FLUSH)
                let count = bytes.count - Int(stream.pointee.avail_out)
                room -= count
                return count
            }
            guard room > 0 else { throw .tooLarge }
            isOutputPending = code == Z_OK && stream.pointee.avail_out == 0
            switch code {
            case Z_OK: continue
            case Z_STREAM_END: progress = .betweenMembers(isFirst: false)
            // Nothing was pending.
            case Z_BUF_ERROR: return
            default: throw .malformed
            }
        }
    }
}
