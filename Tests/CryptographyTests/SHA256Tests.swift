import Cryptography
import RandomTesting
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// FIPS 180-4's examples, by NIST.
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func isTheStandards(text: String, digest: String) {
        #expect(hexadecimal(SHA256.hash(text.utf8)) == digest)
    }

    @Test func isTheSameInPieces() {
        var random = SeededRandom(seed: 1)
        let bytes = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for _ in 0..<20 {
            let hash = SHA256()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...100, using: &random))
                piece.withUnsafeBytes { hash.update($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(hash.finalize() == SHA256.hash(bytes))
        }
    }
}
