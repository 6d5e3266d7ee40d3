import ArgumentParser
import UnixSignals

/// Lets work clean up after Ctrl-C or another signal.
enum Interruption {
    /// Runs the body. A signal cancels it; when it has cleaned up, the program ends with the status that shells expect.
    ///
    /// - Parameter consequence: what happens now, for the message "interrupted, …".
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
