/// Why stored bytes cannot be read as an event (``EventCoding``).
package enum EventCodingError: Error, Equatable, Sendable {
    /// Written by a newer release.
    case unknownVersion
    /// Cut off, or never an event.
    case malformed
}
