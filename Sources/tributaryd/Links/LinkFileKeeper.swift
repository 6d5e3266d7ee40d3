import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Keeps the file of links as the links in memory are, in a task of its own: however long the disk takes, changes are
/// served meanwhile.
///
/// The file matters only if the daemon starts without the database. If it cannot be written, links are served
/// nevertheless.
final class LinkFileKeeper: Sendable {
    /// All links are written each time. So it rests nine times as long as a write took, and takes a tenth of a
    /// processor however many there are; at most so long.
    private static let longestRest: Duration = .seconds(60)

    private let file: LinkFile
    private let logger: Logger
    /// The links as the file is to have them; nil if it has them.
    private let newest = Mutex<LinkSnapshot?>(nil)
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ file: LinkFile, logger: Logger) {
        self.file = file
        self.logger = logger
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func keep(_ snapshot: LinkSnapshot) {
        newest.withLock { $0 = snapshot }
        signal.yield()
    }

    /// Writes until ``close()`` is called, and then what still waits.
    func run() async {
        for await _ in signals {
            let duration = await ContinuousClock().measure { await write() }
            // A daemon that stops does not wait for it.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: min(duration * 9, Self.longestRest)) }
        }
    }

    func close() {
        signal.finish()
    }

    private func write() async {
        let snapshot = newest.withLock { newest in
            defer { newest = nil }
            return newest
        }
        guard let snapshot else { return }
        do {
            try await file.replace(with: snapshot)
        } catch  where Task.isCancelled {
            return
        } catch {
            logger.warning("the links cannot be kept in a file", metadata: ["reason": "\(error)"])
        }
    }
}
