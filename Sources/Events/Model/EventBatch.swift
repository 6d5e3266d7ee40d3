/// The events of one body. Each is either accepted or rejected.
package struct EventBatch: Equatable, Sendable {
    /// The accepted events, in the order of the body.
    package var events: [DecodedEvent] = []
    /// The rejected events, by index.
    package var rejections: [Rejection] = []

    /// How many events the body contained.
    package var count: Int {
        events.count + rejections.count
    }
}
