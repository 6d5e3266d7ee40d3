extension ThrowingTaskGroup {
    /// What the first task to end returns or throws; the others are cancelled.
    mutating func firstResult() async throws -> ChildTaskResult {
        defer { cancelAll() }
        guard let result = try await next() else { throw CancellationError() }
        return result
    }
}
