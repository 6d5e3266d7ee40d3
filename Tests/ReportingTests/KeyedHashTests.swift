@testable import Reporting
import Testing
@testable import Timelines

@Suite("Keyed hash")
struct KeyedHashTests {
    /// From the appendix of the paper: the key 00 01 … 0f, and the text 00 01 … of each length.
    @Test(arguments: [(0, 0x726f_db47_dd0e_0e31), (15, 0xa129_ca61_49be_45e5)] as [(Int, UInt64)])
    func isSipHash(length: Int, expected: UInt64) {
        let hash = KeyedHash(key: Array(0..<16))
        let text = (0..<length).map { UInt8($0) }
        #expect(text.withUnsafeBytes { hash($0) } == expected)
    }

    @Test func hangsOnTheKey() {
        #expect(KeyedHash(key: [1])("user-1") != KeyedHash(key: [2])("user-1"))
    }
}
