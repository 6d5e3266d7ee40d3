import CZlib

enum Gzip {
    /// Compresses as a sender would.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var input = bytes
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            return []
        }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(input.count)))
        return input.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(bound)
                _ = deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
    }
}
