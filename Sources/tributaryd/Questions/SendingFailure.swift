/// Why an answer was not sent.
struct SendingFailure: Error, CustomStringConvertible {
    /// For the list of runs: it holds no secret, such as the address of a webhook.
    var description: String
    /// Whether another attempt may succeed.
    var mayPass: Bool
    /// How long the receiver wants to be left alone.
    var retryAfter: Duration = .zero

    init(_ description: String, mayPass: Bool = true) {
        self.description = description
        self.mayPass = mayPass
    }
}
