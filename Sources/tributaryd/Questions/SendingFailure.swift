/// Why an answer was not sent.
struct SendingFailure: Error, CustomStringConvertible {
    /// For the log: it holds no secret and no address, and nothing that a receiver has said.
    var reason: String
    /// What the receiver or the mail program has said. It may repeat what it got, also the address.
    var said: String
    /// Whether another attempt may succeed.
    var mayPass: Bool
    /// How long the receiver wants to be left alone.
    var retryAfter: Duration = .zero

    init(_ reason: String, said: String = "", mayPass: Bool = true) {
        self.reason = reason
        self.said = said
        self.mayPass = mayPass
    }

    /// For the list of runs.
    var description: String { said.isEmpty ? reason : "\(reason): \(said)" }
}
