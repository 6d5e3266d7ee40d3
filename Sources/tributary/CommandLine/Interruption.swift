import ArgumentParser
import UnixSignals

/// Ctrl-C and its like end work in order instead of at once.
enum Interruption {
    /// Runs the body; a signal cancels it, waits for what it has to clean up, and gives the exit status that shells expect.
    ///
    /// - Parameter consequence: what is said of it: "interrupted, …".
    static func cancels<Result: Sendable>(
        saying consequence: String,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask {
                for await signal in signals {
                    StandardError.write("tributary: interrupted, \(consequence)")
                    throw ExitCode(128 + signal.rawValue)
                }
                throw CancellationError()
            }
            group.addTask { try await body() }
            return try await group.firstResult()
        }
    }
}
