/// Why an event was not even taken.
public enum SendError: Error, Equatable, CustomStringConvertible {
    /// As much is waiting as may wait. The server has been away for long, or events come faster than it takes them.
    case bufferFull
    /// As JSON it has more bytes than the server takes (32 KiB).
    case eventTooLarge(bytes: Int)
    case shutDown
    /// A number in it is not finite.
    case notEncodable(String)

    public var description: String {
        switch self {
        case .bufferFull: "too many events wait to be sent"
        case .eventTooLarge(let bytes): "an event of \(bytes) bytes is above the limit of \(EncodedEvent.byteLimit)"
        case .shutDown: "the sender has been shut down"
        case .notEncodable(let reason): "the event cannot be written as JSON: \(reason)"
        }
    }
}
