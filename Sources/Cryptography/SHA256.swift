import COpenSSL

/// SHA-256 (FIPS 180-4), computed by OpenSSL, which libpq brings along.
package final class SHA256 {
    /// Bytes of a digest.
    package static let length = 32

    /// OpenSSL would search its providers at each use otherwise.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    private let context = EVP_MD_CTX_new()

    package init() {
        precondition(EVP_DigestInit_ex(context, Self.algorithm, nil) == 1, "OpenSSL offers no SHA-256")
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "SHA-256 after its end")
    }

    /// Ends the hash; nothing can be added afterwards.
    package func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.length) { digest, count in
            precondition(EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1, "SHA-256 after its end")
            count = Self.length
        }
    }

    /// The digest of bytes, 32 bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: length) { digest, count in
                let status = EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, algorithm, nil)
                precondition(status == 1, "OpenSSL offers no SHA-256")
                count = length
            }
        }
        return bytes.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { digest($0) }
    }
}
