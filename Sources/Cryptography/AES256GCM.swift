import COpenSSL

/// AES-256 in Galois/Counter mode (NIST SP 800-38D), computed by OpenSSL.
package enum AES256GCM {
    /// Bytes of a key.
    package static let keyLength = 32
    /// Bytes of a nonce.
    package static let nonceLength = 12
    /// Bytes of the tag, which shows that nothing was changed.
    package static let tagLength = 16

    /// - Parameter sealed: the ciphertext, then the tag.
    /// - Returns: the text; nil if the key is another one, a bit of the rest was changed, or a length is wrong.
    package static func open(_ sealed: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard key.count == keyLength, nonce.count == nonceLength, sealed.count >= tagLength,
            let count = Int32(exactly: sealed.count - tagLength), let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1 else { return nil }
        var tag = Array(sealed[Int(count)...])
        var isWhole = false
        let text = [UInt8](unsafeUninitializedCapacity: Int(count) + tagLength) { text, length in
            var (written, rest): (Int32, Int32) = (0, 0)
            isWhole =
                EVP_DecryptUpdate(context, text.baseAddress, &written, sealed, count) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
                && EVP_DecryptFinal_ex(context, text.baseAddress.map { $0 + Int(written) }, &rest) == 1
            length = Int(written + rest)
        }
        return isWhole ? text : nil
    }
}
