import Ingest
import Logging
import Redirects
import ServiceLifecycle
import Storage

/// Keeps the links in memory as they are in the database, and a copy of them in a file.
///
/// Without the database, the links that were read last are served, after a restart those of the file.
struct LinkFollower: Service {
    /// The time between two looks for changes. Every daemon serves a change within a second.
    private static let pause: Duration = .milliseconds(300)

    /// How long the start may wait for the links.
    private static let startPatience: Duration = .seconds(60)

    private struct TookTooLong: Error, CustomStringConvertible {
        let description = "the database takes too long"
    }

    let store: LinkStore
    let schema: DatabaseSchema
    let links: LiveLinks
    let file: LinkFile
    let logger: Logger

    init(store: LinkStore, schema: DatabaseSchema, file: LinkFile, logger: Logger) {
        self.store = store
        self.schema = schema
        self.file = file
        self.logger = logger
        links = LiveLinks(directory: LinkDirectory(), keeper: LinkFileKeeper(file, logger: logger), logger: logger)
    }

    private var keeper: LinkFileKeeper { links.keeper }

    var directory: LinkDirectory { links.directory }

    /// Reads the links from the database if it is there, otherwise from the file. Without links, an event that arrives
    /// would not learn which short link it came through.
    func prepare() async {
        if schema.isMigrated {
            do {
                try await Deadline(Self.startPatience).run(expired: TookTooLong()) { () async throws(any Error) in
                    try await follow()
                }
                return
            } catch {
                logger.warning("the links cannot be read yet", metadata: ["reason": "\(error)"])
            }
        }
        do {
            guard let snapshot = try await file.read() else { return }
            links.show(unconfirmed: snapshot)
            logger.info("serving the links of the last run", metadata: ["links": "\(snapshot.table.count)"])
        } catch {
            logger.warning("the links of the last run cannot be read", metadata: ["reason": "\(error)"])
        }
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run() }
            await cancelWhenGracefulShutdown { await followUntilCancelled() }
            keeper.close()
        }
    }

    private func followUntilCancelled() async {
        let complaints = Complaints("changes of links cannot be read", logger)
        while !Task.isCancelled {
            if schema.isMigrated {
                do {
                    try await follow()
                    complaints.record(nil)
                } catch {
                    directory.confirm(at: nil)
                    complaints.record(Complaints.reason(of: error))
                }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func follow() async throws {
        let time = ContinuousClock.now
        let known = links.revision
        if let known, try await store.currentRevision() == known {
            directory.confirm(at: time)
        } else if let known, let changes = try await store.changes(since: known) {
            links.take(changes, since: known, confirmedAt: time)
        } else {
            // It takes its time, and shows what was there at its beginning. The next look will confirm it.
            links.show(try await store.snapshot(), confirmedAt: time)
        }
    }
}
