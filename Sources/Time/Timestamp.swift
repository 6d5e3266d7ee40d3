/// An instant: microseconds since 1970-01-01T00:00:00Z, without leap seconds. Exact where `Date` would round.
@usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
    // Without `@usableFromInline` nothing of a `package` type is inlined into other modules, whatever is `@inlinable`: reports
    // compare some ten times for each event.
    @usableFromInline package var microseconds: Int64

    @inlinable
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    @inlinable
    package static func == (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds == second.microseconds
    }

    @inlinable
    package static func < (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds < second.microseconds
    }

    @inlinable
    package static func <= (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds <= second.microseconds
    }

    @inlinable
    package static func > (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds > second.microseconds
    }

    @inlinable
    package static func >= (first: Timestamp, second: Timestamp) -> Bool {
        first.microseconds >= second.microseconds
    }

    @inlinable
    package func advanced(byMicroseconds microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: self.microseconds &+ microseconds)
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
