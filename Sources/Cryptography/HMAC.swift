/// HMAC (RFC 2104) with SHA-256.
package enum HMAC {
    private static let blockSize = 64

    /// - Returns: 32 bytes.
    package static func sha256(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? SHA256.hash(key) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        let inner = SHA256.hash(block.map { $0 ^ 0x36 } + Array(message))
        return SHA256.hash(block.map { $0 ^ 0x5C } + inner)
    }
}
