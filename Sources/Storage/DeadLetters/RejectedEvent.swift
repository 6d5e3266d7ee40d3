package import Events
package import Time

/// A dead letter: an event that was rejected, redacted, with the reason.
package struct RejectedEvent: Equatable, Sendable {
    /// The dead letter's own id, not the event's.
    package var id: EventID
    package var appNumber: Int32
    package var appID: String
    package var receivedAt: Timestamp
    /// The prefix of the key that it was sent with, or `import`.
    package var keyPrefix: String
    /// The event's id as it was sent; nil if it had no readable one.
    package var eventID: String?
    /// The raw value of a `Rejection.Code`, maybe of another version of this program.
    package var code: String
    package var field: String?
    package var message: String
    /// The event as it was sent, redacted. Not necessarily JSON.
    package var event: String
    /// The event as it was read (`EventJSON`), if PostgreSQL refused it; else nil.
    package var encodedEvent: String?
}
