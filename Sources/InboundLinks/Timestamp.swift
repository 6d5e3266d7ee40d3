/// An instant: microseconds since 1970-01-01T00:00:00Z, without leap seconds. Exact where `Date` would round.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds < second.microseconds
    }

    package func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds &+ duration.wholeMicroseconds)
    }
}

extension Duration {
    /// The duration in microseconds, rounded towards zero.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
