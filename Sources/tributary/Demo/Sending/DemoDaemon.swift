import Foundation
import Synchronization

/// The real daemon as a child process. It is stopped when the body that uses it ends.
final class DemoDaemon: Sendable {
    private enum Phase {
        case starting
        case serving(URL)
        case ended
    }

    private struct State {
        var phase = Phase.starting
        var watchers: [AsyncStream<Phase>.Continuation] = []
        var log = DemoDaemonLog()
    }

    /// How long the daemon may take until it listens. It may have to start the private cluster and to migrate.
    private static let startPatience: Duration = .seconds(120)
    private static let stopPatience: Duration = .seconds(20)

    private let state = Mutex(State())

    private init() {}

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
        let daemon = DemoDaemon()
        let processID = try daemon.start(executable, arguments: arguments, environment: environment)
        do {
            let result = try await withThrowingTaskGroup(of: Result.self) { group in
                group.addTask { try await body(daemon.address()) }
                group.addTask {
                    await daemon.end()
                    try Task.checkCancellation()
                    throw daemon.failure("ended early")
                }
                return try await group.firstResult()
            }
            await daemon.stop(processID)
            return result
        } catch {
            await daemon.stop(processID)
            throw error
        }
    }

    private func start(
        _ executable: URL,
        arguments: [String],
        environment: [String: String]
    ) throws -> Int32 {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let log = Pipe()
        process.standardError = log
        // The log is read to its end, so that the daemon never waits for a full pipe.
        log.fileHandleForReading.readabilityHandler = { [self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            didLog(Array(data))
        }
        process.terminationHandler = { [self] _ in enter(.ended) }
        do {
            try process.run()
        } catch {
            throw CommandFailure(.internalError, "cannot start \(executable.path): \(error.localizedDescription)")
        }
        return process.processIdentifier
    }

    /// The address that the daemon listens on, as soon as it logs it.
    private func address() async throws -> URL {
        try await withThrowingTaskGroup(of: URL.self) { group in
            group.addTask {
                for await phase in self.phases() {
                    switch phase {
                    case .starting: continue
                    case .serving(let address): return address
                    case .ended: throw self.failure("did not start")
                    }
                }
                throw CancellationError()
            }
            group.addTask {
                try await Task.sleep(for: Self.startPatience)
                throw self.failure("did not log its address in time")
            }
            return try await group.firstResult()
        }
    }

    /// Returns when the process has ended or the task is cancelled.
    private func end() async {
        for await phase in phases() {
            if case .ended = phase { return }
        }
    }

    /// Asks the daemon to stop, and kills it if it does not.
    private func stop(_ processID: Int32) async {
        if case .ended = state.withLock(\.phase) { return }
        kill(processID, SIGTERM)
        // A task of its own, because a cancelled caller must wait for this too.
        await Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.end() }
                group.addTask {
                    guard (try? await Task.sleep(for: Self.stopPatience)) != nil else { return }
                    kill(processID, SIGKILL)
                    await self.end()
                }
                await group.next()
                group.cancelAll()
            }
        }.value
    }

    private func failure(_ what: String) -> CommandFailure {
        let lines = state.withLock(\.log.lastLines)
        let said = lines.isEmpty ? "" : "; it logged: " + lines.suffix(3).joined(separator: " | ")
        return CommandFailure(.internalError, "the daemon \(what)\(said)")
    }

    /// The current phase, and all later ones.
    private func phases() -> AsyncStream<Phase> {
        let (stream, continuation) = AsyncStream.makeStream(of: Phase.self)
        state.withLock { state in
            continuation.yield(state.phase)
            state.watchers.append(continuation)
        }
        return stream
    }

    private func didLog(_ bytes: [UInt8]) {
        let address = state.withLock { state in
            state.log.append(bytes)
            return state.log.address
        }
        if let address { enter(.serving(address)) }
    }

    private func enter(_ phase: Phase) {
        let watchers = state.withLock { state -> [AsyncStream<Phase>.Continuation] in
            switch (state.phase, phase) {
            case (.starting, _), (.serving, .ended): state.phase = phase
            default: return []
            }
            return state.watchers
        }
        for watcher in watchers { watcher.yield(phase) }
    }
}
