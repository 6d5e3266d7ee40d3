import struct Foundation.Date

/// Sends a batch to the server. Tests have a transport of their own.
protocol EventTransport: Sendable {
    /// - Parameter time: the sender's clock now. The server corrects the events' times with it.
    func send(_ batch: [EncodedEvent], at time: Date) async -> Delivery
}

/// An event of a batch that the server has rejected.
struct Rejection: Equatable {
    /// Position in the batch.
    var index: Int
    var code: String
    var message: String
}

/// The result of sending a batch.
enum Delivery: Equatable {
    /// All events except the rejected ones are stored.
    case stored([Rejection])
    /// Sending the batch again would have the same result: for example, the key is wrong.
    case refused(String)
    /// The body is larger than the server accepts.
    case tooLarge
    /// The batch may be stored if it is sent again.
    case failed(String, retryAfter: Duration?)
}
