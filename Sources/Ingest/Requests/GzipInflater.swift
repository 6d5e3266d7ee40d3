import CZlib
import NIOCore

/// Inflates a gzip stream (RFC 1952) piece by piece, never past a limit: a bomb costs its limit and no more.
final class GzipInflater {
    enum Failure: Error, Equatable {
        /// Not gzip, or broken.
        case malformed
        /// More than the limit would come out.
        case tooLarge
    }

    private enum Progress {
        /// Before the first byte of a member; `isFirst`: none has been seen.
        case betweenMembers(isFirst: Bool)
        case insideMember
    }

    /// 15 bits of window; 16 more: gzip only.
    private static let windowBits: Int32 = 15 + 16
    private static let stepBytes = 64 << 10

    let limit: Int
    private(set) var output = ByteBuffer()
    /// zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private var progress = Progress.betweenMembers(isFirst: true)

    /// - Parameter limit: bytes of output.
    init(limit: Int) throws(Failure) {
        self.limit = limit
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

    /// Takes the next piece of the stream.
    func append(_ piece: ByteBuffer) throws(Failure) {
        let result: Result<Void, Failure> = piece.withUnsafeReadableBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return .success(()) }
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = UInt32(bytes.count)
            defer {
                stream.pointee.next_in = nil
                stream.pointee.avail_in = 0
            }
            do throws(Failure) {
                return .success(try inflateInput())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Says that no more comes.
    func finish() throws(Failure) {
        guard case .betweenMembers(isFirst: false) = progress else { throw .malformed }
    }

    private func inflateInput() throws(Failure) {
        var isOutputPending = false
        while stream.pointee.avail_in > 0 || isOutputPending {
            if case .betweenMembers(isFirst: false) = progress {
                // Members may follow each other (RFC 1952 section 2.2).
                guard inflateReset(stream) == Z_OK else { throw .malformed }
            }
            progress = .insideMember
            // One byte above the limit tells a stream that fits from one that goes on.
            let room = min(Self.stepBytes, limit + 1 - output.readableBytes)
            var code = Z_OK
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { bytes in
                stream.pointee.next_out = bytes.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room)
                code = inflate(stream, Z_NO_FLUSH)
                return room - Int(stream.pointee.avail_out)
            }
            guard output.readableBytes <= limit else { throw .tooLarge }
            isOutputPending = code == Z_OK && stream.pointee.avail_out == 0
            switch code {
            case Z_OK: continue
            case Z_STREAM_END: progress = .betweenMembers(isFirst: false)
            // There was nothing pending after all.
            case Z_BUF_ERROR: return
            default: throw .malformed
            }
        }
    }
}
