import Cryptography
import Testing

/// The test cases 13, 14 and 15 of the specification of GCM (McGrew and Viega, 2005), which have no other data, and the
/// refusal of everything that was changed.
@Suite("AES-256-GCM")
struct AES256GCMTests {
    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let text =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
        + "ba637b391aafd255"
    private static let sealed =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a"
        + "bcc9f662898015adb094dac5d93471bdec1a502270e3cc6c"

    @Test func opensWhatItSealed() {
        let zeros = String(repeating: "0", count: 64)
        let nonce = [UInt8](repeating: 0, count: 12)
        #expect(
            AES256GCM.open(Self.bytes("530f8afbc74536b9a963b4f1c4cb738b"), nonce: nonce, key: Self.bytes(zeros)) == []
        )
        #expect(
            AES256GCM.open(
                Self.bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
                nonce: nonce,
                key: Self.bytes(zeros)
            ) == [UInt8](repeating: 0, count: 16)
        )
        let opened = AES256GCM.open(
            Self.bytes(Self.sealed),
            nonce: Self.bytes("cafebabefacedbaddecaf888"),
            key: Self.bytes(Self.key)
        )
        #expect(opened == Self.bytes(Self.text))
    }

    @Test func refusesEveryBitThatWasChanged() {
        let (nonce, key) = (Self.bytes("cafebabefacedbaddecaf888"), Self.bytes(Self.key))
        let sealed = Self.bytes(Self.sealed)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(AES256GCM.open(changed, nonce: nonce, key: key) == nil)
        }
        for bit in 0..<96 {
            var changed = nonce
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(AES256GCM.open(sealed, nonce: changed, key: key) == nil)
        }
        for (sealed, nonce, key) in [
            (Array(sealed.dropLast()), nonce, key), ([], nonce, key), (sealed, Array(nonce.dropLast()), key),
            (sealed, [], key), (sealed, nonce, Array(key.dropLast())), (sealed, nonce, []),
        ] {
            #expect(AES256GCM.open(sealed, nonce: nonce, key: key) == nil)
        }
    }
}
