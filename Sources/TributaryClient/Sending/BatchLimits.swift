/// The largest request.
public struct BatchLimits: Sendable, Equatable {
    public var events: Int
    /// Bytes of JSON.
    public var bytes: Int

    public init(events: Int = 500, bytes: Int = 1 << 20) {
        self.events = events
        self.bytes = bytes
    }
}
