import Cryptography
package import Events

extension EventID {
    /// A UUID of version 8 (RFC 9562 section 5.8) from the first 16 bytes of a hash.
    package init(hashed digest: UnsafeRawBufferPointer) {
        let high = UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        let low = UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        self.init(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }

    /// A UUID that depends on the texts alone: the same texts give the same UUID.
    package init(naming texts: [[UInt8]]) {
        let hash = SHA256()
        for text in texts {
            // The length first, so that texts cannot run into each other.
            withUnsafeBytes(of: UInt64(text.count).bigEndian) { hash.update($0) }
            text.withUnsafeBytes { hash.update($0) }
        }
        self = hash.finalize().withUnsafeBytes { EventID(hashed: $0) }
    }
}
