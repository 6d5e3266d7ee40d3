import Cryptography
import Events
import Storage

/// Identifies a line by all lines of the file up to it: the SHA-256 of the fingerprint before it and of the line.
///
/// So the same file gives the same ids under any name, a file that has grown gives the same ids for its old part, and
/// equal lines of a file get different ids.
struct SourceFingerprint: Equatable {
    /// 32 bytes.
    private(set) var bytes: [UInt8]

    init(app: String) {
        bytes = SHA256.hash("tributary import of \(app)".utf8)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
        let hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        hash.update(UnsafeRawBufferPointer(line))
        bytes = hash.finalize()
    }

    /// The id of an event of the line.
    ///
    /// - Parameter ordinal: tells the events of one line apart, from 0.
    func id(_ ordinal: Int = 0) -> EventID {
        guard ordinal > 0 else { return bytes.withUnsafeBytes { EventID(hashed: $0) } }
        let hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        withUnsafeBytes(of: UInt64(ordinal).bigEndian) { hash.update($0) }
        return hash.finalize().withUnsafeBytes { EventID(hashed: $0) }
    }
}
