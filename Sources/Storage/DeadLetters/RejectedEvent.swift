package import Events
package import Time

/// A dead letter: an event that was not stored, redacted, and why.
package struct RejectedEvent: Equatable, Sendable {
    /// Made when it was kept; no relation to the event's own id.
    package var id: EventID
    package var appNumber: Int32
    package var appID: String
    package var receivedAt: Timestamp
    /// The first characters of the key that it came with, or `import`.
    package var keyPrefix: String
    /// As sent; nil where it had none that could be read.
    package var eventID: String?
    /// A `Rejection.Code`, or one of another version of this program.
    package var code: String
    package var field: String?
    package var message: String
    /// As sent, redacted. Not necessarily JSON.
    package var event: String
    /// The event as it had been read (`EventCoding`), where PostgreSQL refused it.
    package var encodedEvent: [UInt8]?
}
