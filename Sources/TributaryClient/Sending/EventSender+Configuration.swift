extension EventSender {
    /// How a sender batches, waits and gives up.
    public struct Configuration: Sendable {
        /// The most that one request carries. The server's limits are 5,000 events and 8 MiB.
        public var batch = BatchLimits()
        /// How long events wait for others, so that they share a request. A full batch, ``EventSender/flush()`` and
        /// shutdown do not wait.
        public var lingerTime: Duration = .seconds(1)
        /// What may wait for an answer, as JSON. Beyond it, `send` throws.
        public var bufferedBytes = 16 << 20
        public var bufferedEvents = 50_000
        /// From a request's first byte to its answer's last; after it the batch is sent again.
        public var requestTimeout: Duration = .seconds(30)
        /// How often and after what time a batch is sent again.
        public var retry = RetryPolicy()
        /// How long `run()` goes on sending after shutdown has begun.
        public var shutdownTimeout: Duration = .seconds(10)
        /// Told of each event that the server has rejected for good. Must not block.
        public var onRejection: @Sendable (RejectedEvent) -> Void = { _ in }

        /// For tests.
        var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

        public init() {}
    }
}
