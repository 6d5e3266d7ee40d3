import struct Foundation.Date

/// Carries a batch to the server. The sender's tests have one of their own.
protocol EventTransport: Sendable {
    /// - Parameter time: the sender's clock now, by which the server corrects the events' times.
    func send(_ batch: [EncodedEvent], at time: Date) async -> Delivery
}

/// An event of a batch that the server has rejected.
struct Rejection: Equatable {
    /// Position in the batch.
    var index: Int
    var code: String
    var message: String
}

/// What became of a batch.
enum Delivery: Equatable {
    /// All but the rejected ones are stored.
    case stored([Rejection])
    /// The same again will come to the same: a wrong key, say.
    case refused(String)
    /// The body is larger than the server takes.
    case tooLarge
    /// Another time it may be stored.
    case failed(String, retryAfter: Duration?)
}
