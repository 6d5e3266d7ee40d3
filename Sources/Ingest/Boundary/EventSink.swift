package import Events

/// Stores admitted events. The HTTP layer does not know how.
package protocol EventSink: Sendable {
    /// Stores a batch in one step: its events, and its rejections as dead letters.
    ///
    /// - Parameter end: called exactly once, on any thread. It gets success only if the batch survives a crash. After a
    ///   failure, the sender can send the batch again.
    func store(_ submission: Submission, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void)
}
