import Foundation
import Synchronization

/// The real daemon as a child process. It is stopped when the body that uses it ends.
final class DemoDaemon: Sendable {
    /// How long the daemon may take until it listens. It may have to start the private cluster and to migrate.
    private static let startPatience: Duration = .seconds(120)
    private static let stopPatience: Duration = .seconds(20)

    private let process = Process()
    private let log = Mutex(DemoDaemonLog())
    /// The address that the daemon logs. Finished when the daemon ends.
    private let addresses: AsyncStream<URL>
    /// Ends when the daemon has ended.
    private let exit: Task<Void, Never>

    /// Starts the daemon, runs the body with its address, and stops the daemon when the body ends, throws or is
    /// cancelled.
    ///
    /// - Throws: the body's errors; `CommandFailure` if the daemon does not start or ends early.
    static func withDaemon<Result: Sendable>(
        at executable: URL,
        arguments: [String],
        environment: [String: String],
        _ body: @escaping @Sendable (_ address: URL) async throws -> Result
    ) async throws -> Result {
        let daemon = try DemoDaemon(executable, arguments: arguments, environment: environment)
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body(daemon.address()) }
            group.addTask {
                await daemon.exit.value
                throw daemon.failure("ended early")
            }
            let first = await group.nextResult()
            await daemon.stop()
            guard let first else { throw CancellationError() }
            return try first.get()
        }
    }

    private init(_ executable: URL, arguments: [String], environment: [String: String]) throws {
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        self.addresses = addresses
        exit = Task { for await _ in ends {} }
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        // The log is read to its end, so that the daemon never waits for a full pipe.
        pipe.fileHandleForReading.readabilityHandler = { [self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            if let address = log.withLock({ $0.append(data) }) { listening.yield(address) }
        }
        process.terminationHandler = { _ in
            listening.finish()
            ended.finish()
        }
        do {
            try process.run()
        } catch {
            throw CommandFailure(.internalError, "cannot start \(executable.path): \(error.localizedDescription)")
        }
    }

    private func address() async throws -> URL {
        let timeout = Task { [process] in
            try await Task.sleep(for: Self.startPatience)
            process.terminate()
        }
        defer { timeout.cancel() }
        for await address in addresses { return address }
        try Task.checkCancellation()
        throw failure("did not start")
    }

    /// Asks the daemon to stop, and kills it if it does not.
    private func stop() async {
        if process.isRunning { process.terminate() }
        let timeout = Task { [process] in
            try await Task.sleep(for: Self.stopPatience)
            kill(process.processIdentifier, SIGKILL)
        }
        await exit.value
        timeout.cancel()
    }

    private func failure(_ what: String) -> CommandFailure {
        let lines = log.withLock(\.lastLines)
        let said = lines.isEmpty ? "" : "; it logged: " + lines.suffix(3).joined(separator: " | ")
        return CommandFailure(.internalError, "the daemon \(what)\(said)")
    }
}
