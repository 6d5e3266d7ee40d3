import Synchronization

/// Runs an operation and returns its result, or throws `expired` when it takes longer than `limit`.
///
/// The operation is not cancelled then: what it holds, it gives back when it ends. A batch that has been handed over is
/// stored or not, whoever still listens.
func withDeadline<Value: Sendable, Failure: Error>(
    _ limit: Duration,
    expired: Failure,
    _ operation: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let race = Race<Result<Value, Failure>>()
    let result = await withCheckedContinuation { continuation in
        race.start(continuation)
        let timer = Task {
            do { try await Task.sleep(for: limit) } catch { return }
            race.end(.failure(expired))
        }
        Task {
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            timer.cancel()
            race.end(result)
        }
    }
    return try result.get()
}

/// The first result to come resumes the continuation, the others are dropped.
private final class Race<Value: Sendable>: Sendable {
    private let continuation = Mutex<CheckedContinuation<Value, Never>?>(nil)

    func start(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func end(_ value: Value) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: value)
    }
}
