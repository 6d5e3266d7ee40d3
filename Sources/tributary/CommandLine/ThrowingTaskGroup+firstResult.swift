extension ThrowingTaskGroup {
    /// Returns or throws what the first task to end returns or throws. The other tasks are cancelled.
    mutating func firstResult() async throws -> ChildTaskResult {
        defer { cancelAll() }
        guard let result = try await next() else { throw CancellationError() }
        return result
    }
}
