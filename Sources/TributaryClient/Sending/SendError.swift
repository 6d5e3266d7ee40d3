/// Why ``EventSender/send(_:)`` did not accept an event.
public enum SendError: Error, Equatable, CustomStringConvertible {
    /// The buffer is full: the server has been unavailable for long, or it is slower than the events come.
    case bufferFull
    /// The event's JSON is larger than the server accepts (32 KiB).
    case eventTooLarge(bytes: Int)
    case shutDown
    /// The event cannot be written as JSON: a number in it is not finite.
    case notEncodable(String)

    public var description: String {
        switch self {
        case .bufferFull: "the buffer of unsent events is full; try again later"
        case .eventTooLarge(let bytes):
            "the event is \(bytes) bytes of JSON, and the limit is \(EncodedEvent.byteLimit); shorten it"
        case .shutDown: "the sender has been shut down and accepts no more events"
        case .notEncodable(let reason): "the event cannot be written as JSON: \(reason)"
        }
    }
}
