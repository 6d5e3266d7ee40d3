/// An instant: microseconds since 1970-01-01T00:00:00Z, without leap seconds. It is exact, while `Date` rounds.
@usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
    // Without `@usableFromInline`, other modules inline nothing of a `package` type, even if it is `@inlinable`.
    // Reports compare about ten timestamps for each event.
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

    /// The first or the last timestamp if the result is beyond it.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.wholeMicroseconds)
        return Timestamp(microseconds: !overflow ? sum : duration < .zero ? .min : .max)
    }
}

extension Duration {
    /// The duration in microseconds, rounded towards zero; the nearest that there is if it is longer.
    package var wholeMicroseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }
}
