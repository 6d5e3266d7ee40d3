import COpenSSL

/// scrypt (RFC 7914), computed by OpenSSL: a hash for passwords, slow and with much memory on purpose.
package enum Scrypt {
    /// Bytes. Parameters that need more are refused.
    private static let memoryLimit = 64 << 20

    /// - Parameters:
    ///   - exponent: N is 2 to its power, 1 to 20. It takes `128 · N · blockSize` bytes.
    ///   - blockSize: r, 1 to 32.
    ///   - passes: p, 1 to 16.
    /// - Returns: `length` bytes; nil if a parameter is out of range, or if there is no memory.
    package static func hash(
        _ password: some Sequence<UInt8>,
        salt: [UInt8],
        exponent: Int,
        blockSize: Int,
        passes: Int,
        length: Int = 32
    ) -> [UInt8]? {
        guard (1...20).contains(exponent), (1...32).contains(blockSize), (1...16).contains(passes),
            (1...64).contains(length)
        else { return nil }
        let count = 1 << exponent
        guard 128 * blockSize * count <= memoryLimit else { return nil }
        // OpenSSL refuses to take more than 32 MiB unless it is told to.
        let memory = UInt64(128 * blockSize * (count + passes + 2))
        let password = password.map { CChar(bitPattern: $0) }
        var isDone = false
        let hash = [UInt8](unsafeUninitializedCapacity: length) { bytes, initialized in
            isDone =
                EVP_PBE_scrypt(
                    password,
                    password.count,
                    salt,
                    salt.count,
                    UInt64(count),
                    UInt64(blockSize),
                    UInt64(passes),
                    memory,
                    bytes.baseAddress,
                    length
                ) == 1
            initialized = isDone ? length : 0
        }
        return isDone ? hash : nil
    }
}

/// Whether two secrets are equal. The time depends only on their lengths.
package func areEqualInConstantTime(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.count == second.count && CRYPTO_memcmp(first, second, first.count) == 0
}
