/// An accepted event, with its place in the batch.
package struct DecodedEvent: Equatable, Sendable {
    /// Position in the batch, from 0. Rejected events count too.
    package var index: Int
    package var event: Event
    /// Whether the event came without an id and got one here. The answer then tells the sender the id.
    package var hasMadeID: Bool

    package init(index: Int, event: Event, hasMadeID: Bool) {
        self.index = index
        self.event = event
        self.hasMadeID = hasMadeID
    }
}
