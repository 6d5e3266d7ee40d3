/// The difference of two clocks in words: `-3 days 2 h 0 min 5 s`, without the larger units that are 0.
package struct TimeDifference: CustomStringConvertible, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package var description: String {
        let seconds = microseconds.magnitude / 1_000_000
        let parts = [
            (seconds / 86_400, "days"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 && $0.1 != "s" }
        return (microseconds < 0 ? "-" : "") + shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
