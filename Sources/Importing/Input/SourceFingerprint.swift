import Crypto
import Events
import Storage

/// What a file has held up to a line: the hash of the line and of the fingerprint before it.
///
/// It names a line by all that stands before it in the file. So the same file gives the same ids whatever it is called, one
/// that has grown gives them for its old part, and equal lines of a file have different ones.
struct SourceFingerprint: Equatable {
    /// 32 bytes.
    private(set) var bytes: [UInt8]

    init(app: String) {
        bytes = Array(SHA256.hash(data: Array("tributary import of \(app)".utf8)))
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: UnsafeRawBufferPointer(line))
        hash.finalize().withUnsafeBytes { digest in
            for index in 0..<32 { bytes[index] = digest[index] }
        }
    }

    /// The id of an event of the line.
    ///
    /// - Parameter ordinal: tells the events of one line apart, from 0.
    func id(_ ordinal: Int = 0) -> EventID {
        guard ordinal > 0 else { return bytes.withUnsafeBytes { EventID(hashed: $0) } }
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: UInt64(ordinal).bigEndian) { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { EventID(hashed: $0) }
    }
}
