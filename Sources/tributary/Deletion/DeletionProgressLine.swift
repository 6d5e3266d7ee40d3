import Storage
import Synchronization

/// Shows the progress of a deletion or a search on a terminal.
final class DeletionProgressLine: Sendable {
    private struct State {
        var last = DeletionProgress("")
        var progress = Progress()
    }

    private let state = Mutex(State())

    /// Runs the body with a handler of progress, and clears the line at the end.
    static func with<Result>(_ body: (@escaping DeletionProgress.Handler) async throws -> Result) async throws -> Result
    {
        let line = DeletionProgressLine()
        // A stage that only waits tells nothing more.
        let ticking = Task { while (try? await Task.sleep(for: .seconds(1))) != nil { line.show(nil) } }
        defer {
            ticking.cancel()
            line.state.withLock { $0.progress.finish() }
        }
        return try await body { line.show($0) }
    }

    /// - Parameter progress: nil: what it was.
    private func show(_ progress: DeletionProgress?) {
        state.withLock { state in
            let progress = progress ?? state.last
            guard !Task.isCancelled, !progress.stage.isEmpty else { return }
            if state.last.stage != progress.stage {
                state.progress.finish()
                state.progress = Progress()
            }
            state.last = progress
            state.progress.show(
                progress.stage,
                fraction: progress.total > 0 ? Double(progress.done) / Double(progress.total) : nil
            )
        }
    }
}
