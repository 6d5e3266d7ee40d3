import Cryptography
import Text

/// A password as it is stored: `scrypt 15 8 3 SALT HASH`. The parameters stand with each hash, so that later versions
/// can raise them.
struct PasswordHash: Equatable, Sendable {
    struct Cost: Equatable, Sendable {
        var exponent: Int
        var blockSize: Int
        var passes: Int

        /// 32 MiB, and some tenths of a second: what OWASP's Password Storage Cheat Sheet advises for this memory.
        static let standard = Cost(exponent: 15, blockSize: 8, passes: 3)
    }

    private var cost: Cost
    private var salt: [UInt8]
    private var digest: [UInt8]

    /// Nil if there is no memory.
    init?(_ password: String, cost: Cost) {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let digest = Self.digest(password, salt: salt, cost: cost) else { return nil }
        (self.cost, self.salt, self.digest) = (cost, salt, digest)
    }

    /// Nil for a text that is damaged, or that a later version has written.
    init?(stored text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0] == "scrypt", let exponent = Int(parts[1]), let blockSize = Int(parts[2]),
            let passes = Int(parts[3]), let salt = [UInt8](hexadecimal: String(parts[4])),
            let digest = [UInt8](hexadecimal: String(parts[5])), salt.count == 16, digest.count == 32
        else { return nil }
        cost = Cost(exponent: exponent, blockSize: blockSize, passes: passes)
        (self.salt, self.digest) = (salt, digest)
    }

    var text: String {
        "scrypt \(cost.exponent) \(cost.blockSize) \(cost.passes) \(salt.hexadecimal) \(digest.hexadecimal)"
    }

    /// Nil if there is no memory, or if the parameters are damaged.
    func matches(_ password: String) -> Bool? {
        Self.digest(password, salt: salt, cost: cost).map { areEqualInConstantTime($0, digest) }
    }

    private static func digest(_ password: String, salt: [UInt8], cost: Cost) -> [UInt8]? {
        Scrypt.hash(
            password.utf8,
            salt: salt,
            exponent: cost.exponent,
            blockSize: cost.blockSize,
            passes: cost.passes
        )
    }
}
