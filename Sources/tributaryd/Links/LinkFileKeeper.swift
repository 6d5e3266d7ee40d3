import Logging
import Storage
import Synchronization

/// Keeps the file of links as the links in memory are, in a task of its own: however long the disk takes, changes are
/// served meanwhile.
///
/// The file matters only if the daemon starts without the database. If it cannot be written, links are served
/// nevertheless.
final class LinkFileKeeper: Sendable {
    /// What the file lacks.
    private enum Missing {
        case nothing
        case changes([LinkChanges], since: Int64)
        case everything
    }

    private struct State {
        /// The links as the file is to have them; nil if it lacks nothing.
        var newest: LinkSnapshot?
        var missing = Missing.nothing
    }

    /// Links that may wait to be written one by one. If more wait, the file is written anew.
    private static let changeLimit = 10_000

    private let file: LinkFile
    private let logger: Logger
    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ file: LinkFile, logger: Logger) {
        self.file = file
        self.logger = logger
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter changes: what has changed since a revision; nil: everything.
    func keep(_ snapshot: LinkSnapshot, changes: (LinkChanges, since: Int64)? = nil) {
        state.withLock { state in
            state.newest = snapshot
            switch (state.missing, changes) {
            case (.everything, _), (_, nil): state.missing = .everything
            case (.nothing, let (change, revision)?): state.missing = .changes([change], since: revision)
            case (.changes(let earlier, let revision), let (change, _)?):
                let all = earlier + [change]
                let count = all.reduce(0) { $0 + $1.set.count + $1.removed.count + 1 }
                state.missing = count > Self.changeLimit ? .everything : .changes(all, since: revision)
            }
        }
        signal.yield()
    }

    /// Writes until ``close()`` is called, and then what still waits.
    func run() async {
        for await _ in signals { await write() }
    }

    func close() {
        signal.finish()
    }

    private func write() async {
        let work = state.withLock { state in
            defer { state = State() }
            return state
        }
        guard let snapshot = work.newest else { return }
        do {
            switch work.missing {
            case .nothing: break
            case .everything: try await file.replace(with: snapshot)
            case .changes(let changes, let revision):
                do {
                    try await file.apply(changes, since: revision)
                } catch {
                    // The file lacks earlier changes, or is damaged.
                    try await file.replace(with: snapshot)
                }
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            logger.warning("the links cannot be kept in a file", metadata: ["reason": "\(error)"])
        }
    }
}
