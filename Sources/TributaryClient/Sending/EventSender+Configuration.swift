extension EventSender {
    /// How a sender batches, waits and gives up.
    public struct Configuration: Sendable {
        /// The largest request. The server's limits are 5,000 events and 8 MiB.
        public var batch = BatchLimits()
        /// How long events wait for others, so that they share a request. A full batch, ``EventSender/flush()`` and
        /// shutdown end the wait.
        public var lingerTime: Duration = .seconds(1)
        /// How many bytes of JSON may wait for an answer. Above it, `send` throws.
        public var bufferedBytes = 16 << 20
        /// How many events may wait for an answer. Above it, `send` throws.
        public var bufferedEvents = 50_000
        /// How long a request may take, from its first byte to the last byte of its answer. Then the batch is sent
        /// again.
        public var requestTimeout: Duration = .seconds(30)
        /// How long to wait before a batch is sent again.
        public var retry = RetryPolicy()
        /// How long `run()` continues to send after shutdown has begun.
        public var shutdownTimeout: Duration = .seconds(10)
        /// Called with each event that the server has rejected. Must not block.
        public var onRejection: @Sendable (RejectedEvent) -> Void = { _ in }

        /// For tests.
        var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

        public init() {}
    }
}
