package import Events

/// Where admitted events go. The HTTP layer knows nothing of how they are kept.
package protocol EventSink: Sendable {
    /// Keeps a batch: its events and, as dead letters, its rejections, in one step.
    ///
    /// - Parameter end: told once, from anywhere, and with success only when the batch will survive a crash. What fails has
    ///   kept nothing that the sender could not send again.
    func store(_ submission: Submission, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void)
}
