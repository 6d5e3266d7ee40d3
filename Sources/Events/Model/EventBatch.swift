/// What one body held: every event of it is either here or among the rejections.
package struct EventBatch: Equatable, Sendable {
    /// The accepted events, in the order of the body.
    package var events: [DecodedEvent]
    /// The others, by index.
    package var rejections: [Rejection]

    package init(events: [DecodedEvent] = [], rejections: [Rejection] = []) {
        self.events = events
        self.rejections = rejections
    }

    /// How many events the body held.
    package var count: Int {
        events.count + rejections.count
    }
}
