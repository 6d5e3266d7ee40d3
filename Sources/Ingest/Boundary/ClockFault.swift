/// The clock cannot date events, because it may be wrong.
package struct ClockFault: Error, Equatable {
    /// What is wrong with it, without a final stop.
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
