import Postgres

/// A person, or a key that belongs to one, in packed timelines. One half is PostgreSQL's hash, which decides order and
/// bucket. The other half is keyed with the app's secret, so that no sender can choose ids that merge two people.
struct PersonHash: Hashable, Comparable, Sendable {
    /// PostgreSQL's `hashtextextended(…, 0)`.
    var high: UInt64
    /// `KeyedHash` of the same text.
    var low: UInt64

    /// The number of buckets that an app's people are spread over.
    static let bucketCount = 256

    /// Comes after all people.
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
    /// Reads two columns, PostgreSQL's hash of a text and the text; nil if one is null.
    init?(reading row: inout PostgresCopyRow, _ hash: KeyedHash) throws {
        let high = try row.nextOptionalInt64()
        guard let text = try row.nextUnsafeBytes(), let high else { return nil }
        self.init(high: UInt64(bitPattern: high), low: hash(text))
    }
}
