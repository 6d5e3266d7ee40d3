/// A UUID (RFC 9562), kept as two words so that it compares like its text and costs no allocation.
package struct EventID: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (first: EventID, second: EventID) -> Bool {
        (first.high, first.low) < (second.high, second.low)
    }
}
