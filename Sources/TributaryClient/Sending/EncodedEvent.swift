import Foundation

/// An event as JSON. It is encoded before it enters the buffer, so that the buffer can limit bytes.
struct EncodedEvent: Sendable, Equatable {
    /// docs/events.md, *Limits*.
    static let byteLimit = 32 << 10

    let id: UUID
    let json: Data

    init(_ event: TributaryEvent) throws(SendError) {
        id = event.id
        do {
            json = try JSONEncoder().encode(event)
        } catch {
            throw .notEncodable("\(error)")
        }
        guard json.count <= Self.byteLimit else { throw .eventTooLarge(bytes: json.count) }
    }
}
