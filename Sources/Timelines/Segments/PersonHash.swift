import Postgres

/// A person, or a key that stands for one, in packed timelines: half from PostgreSQL, by which it sorts and shares people
/// out, half keyed with the app's secret, so that nobody who chooses ids can make two people one.
struct PersonHash: Hashable, Comparable, Sendable {
    /// PostgreSQL's `hashtextextended(…, 0)`.
    var high: UInt64
    /// `KeyedHash` of the same text.
    var low: UInt64

    /// How many parts an app's people are shared out to.
    static let bucketCount = 256

    /// After all people.
    static let end = PersonHash(high: .max, low: .max)

    @inline(__always)
    var bucket: Int { Int(high >> 56) }

    @inline(__always)
    static func == (first: PersonHash, second: PersonHash) -> Bool {
        first.high == second.high && first.low == second.low
    }

    @inline(__always)
    static func < (first: PersonHash, second: PersonHash) -> Bool {
        first.high == second.high ? first.low < second.low : first.high < second.high
    }
}

extension PersonHash {
    /// Reads two columns, PostgreSQL's hash of a text and the text; nil for null.
    init?(reading row: inout PostgresCopyRow, _ hash: KeyedHash) throws {
        let high = try row.nextOptionalInt64()
        guard let text = try row.nextUnsafeBytes(), let high else { return nil }
        self.init(high: UInt64(bitPattern: high), low: hash(text))
    }
}
