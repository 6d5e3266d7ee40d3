import CZlib

/// Inflates a gzip stream (RFC 1952) of any length, piece by piece.
final class GzipInflation {
    enum Failure: Error {
        /// Not gzip, or broken.
        case malformed
    }

    /// 15 bits of window; 16 more: gzip only.
    private static let windowBits: Int32 = 15 + 16
    private static let stepBytes = 256 << 10

    /// zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether a member has begun that has not ended.
    private var isInsideMember = true

    init() throws(Failure) {
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

    /// Whether the stream may end here.
    var isComplete: Bool { !isInsideMember }

    /// What the next piece of the stream inflates to.
    func inflating(_ piece: [UInt8]) throws(Failure) -> [UInt8] {
        var piece = piece
        let result = piece.withUnsafeMutableBufferPointer { bytes -> Result<[UInt8], Failure> in
            stream.pointee.next_in = bytes.baseAddress
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
        return try result.get()
    }

    private func inflateInput() throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var isOutputPending = false
        while stream.pointee.avail_in > 0 || isOutputPending {
            if !isInsideMember {
                // Members may follow each other (RFC 1952 section 2.2).
                guard inflateReset(stream) == Z_OK else { throw .malformed }
                isInsideMember = true
            }
            var code = Z_OK
            let part = [UInt8](unsafeUninitializedCapacity: Self.stepBytes) { bytes, count in
                stream.pointee.next_out = bytes.baseAddress
                stream.pointee.avail_out = UInt32(Self.stepBytes)
                code = inflate(stream, Z_NO_FLUSH)
                count = Self.stepBytes - Int(stream.pointee.avail_out)
            }
            output.append(contentsOf: part)
            isOutputPending = code == Z_OK && stream.pointee.avail_out == 0
            switch code {
            case Z_OK: continue
            case Z_STREAM_END: isInsideMember = false
            // There was nothing pending after all.
            case Z_BUF_ERROR: return output
            default: throw .malformed
            }
        }
        return output
    }
}
