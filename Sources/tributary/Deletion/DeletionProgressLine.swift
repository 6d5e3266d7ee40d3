import Storage
import Synchronization

/// Shows the progress of a deletion or a search on a terminal.
final class DeletionProgressLine: Sendable {
    private struct State {
        var stage = ""
        var progress = Progress()
    }

    private let state = Mutex(State())

    /// Runs the body with a handler of progress, and clears the line at the end.
    static func with<Result>(_ body: (@escaping DeletionProgress.Handler) async throws -> Result) async throws -> Result
    {
        let line = DeletionProgressLine()
        defer { line.state.withLock { $0.progress.finish() } }
        return try await body { line.show($0) }
    }

    private func show(_ progress: DeletionProgress) {
        state.withLock { state in
            if state.stage != progress.stage {
                state.progress.finish()
                state.stage = progress.stage
                state.progress = Progress()
            }
            state.progress.show(
                progress.stage,
                fraction: progress.total > 0 ? Double(progress.done) / Double(progress.total) : nil
            )
        }
    }
}
