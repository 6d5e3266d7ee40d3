import Cryptography
import Testing

@Suite("scrypt")
struct ScryptTests {
    /// The vectors of RFC 7914, section 12, that need no gigabyte.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func isThatOfTheStandard(
        password: String,
        salt: String,
        exponent: Int,
        blockSize: Int,
        passes: Int,
        expected: String
    ) {
        let hash = Scrypt.hash(
            password.utf8,
            salt: Array(salt.utf8),
            exponent: exponent,
            blockSize: blockSize,
            passes: passes,
            length: 64
        )
        let digits = hash?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digits == expected)
    }

    /// Parameters come from a table. They must not take the memory of the program.
    @Test(arguments: [
        (0, 8, 1), (21, 1, 1), (20, 8, 1), (17, 8, 1), (15, 0, 1), (15, 33, 1), (15, 8, 0), (15, 8, 17), (-1, 8, 1),
        (Int.max, Int.max, Int.max),
    ])
    func refusesParametersOutOfRange(exponent: Int, blockSize: Int, passes: Int) {
        #expect(Scrypt.hash([], salt: [], exponent: exponent, blockSize: blockSize, passes: passes) == nil)
    }

    @Test func comparesSecrets() {
        #expect(areEqualInConstantTime([], []) && areEqualInConstantTime([1, 2], [1, 2]))
        #expect(!areEqualInConstantTime([1, 2], [1, 3]) && !areEqualInConstantTime([1], [1, 1]))
    }
}
