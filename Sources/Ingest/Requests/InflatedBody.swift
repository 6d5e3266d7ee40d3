import Gzip
import NIOCore

/// The inflated bytes of a gzip-compressed body, within a limit.
final class InflatedBody {
    /// What zlib needs for a stream: a window of 32 KiB, and its tables.
    static let stateBytes = 40 << 10

    private let inflater: GzipInflater
    private(set) var output = ByteBuffer()

    /// - Parameter limit: bytes of output.
    init(limit: Int) throws(GzipInflater.Failure) {
        inflater = try GzipInflater(limit: limit)
    }

    /// Takes the next piece of the stream.
    func append(_ piece: ByteBuffer) throws(GzipInflater.Failure) {
        let result: Result<Void, GzipInflater.Failure> = piece.withUnsafeReadableBytes { bytes in
            do throws(GzipInflater.Failure) {
                try inflater.append(bytes) { room, fill in
                    output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
                        fill(UnsafeMutableRawBufferPointer(rebasing: target.prefix(room)))
                    }
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Call it after the last piece.
    ///
    /// - Throws: `malformed` if the stream is not complete.
    func finish() throws(GzipInflater.Failure) {
        guard inflater.isComplete else { throw .malformed }
    }
}
