/// Why stored bytes are not read as an event; see ``EventCoding``.
package enum EventCodingError: Error, Equatable, Sendable {
    /// Written by a newer release.
    case unknownVersion
    /// Cut off, or never an event.
    case malformed
}
