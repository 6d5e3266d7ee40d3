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
    let directory: LinkDirectory
    let file: LinkFile
    let keeper: LinkFileKeeper
    let logger: Logger

    init(store: LinkStore, schema: DatabaseSchema, directory: LinkDirectory, file: LinkFile, logger: Logger) {
        self.store = store
        self.schema = schema
        self.directory = directory
        self.file = file
        self.logger = logger
        keeper = LinkFileKeeper(file, logger: logger)
    }

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
            show(snapshot)
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
        var complaint: String?
        while !Task.isCancelled {
            if schema.isMigrated {
                do {
                    try await follow()
                    complaint = nil
                } catch {
                    directory.confirm(at: nil)
                    let reason = "\(error)"
                    if reason != complaint, !Task.isCancelled {
                        logger.warning("changes of links cannot be read", metadata: ["reason": "\(reason)"])
                        complaint = reason
                    }
                }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func follow() async throws {
        let time = ContinuousClock.now
        let old = directory.contents
        if let revision = old.revision, try await store.currentRevision() == revision {
            directory.confirm(at: time)
            return
        }
        guard let revision = old.revision, let changes = try await store.changes(since: revision) else {
            let snapshot = try await store.snapshot()
            // It took its time, and shows what was there at its beginning. The next look will confirm it.
            show(snapshot, confirmedAt: time)
            keeper.keep(snapshot)
            return
        }
        var table = old.table
        let ids = Set(changes.apps.map(\.app.id))
        for id in old.appNumbers.keys where !ids.contains(id) { table.set(LinkApp(id: id, name: id), hosts: []) }
        for app in changes.apps { table.set(app.app, hosts: app.hosts) }
        for address in changes.removed { table.remove(host: address.host, slug: address.slug) }
        for link in changes.set { table.set(link) }
        let snapshot = LinkSnapshot(revision: changes.revision, apps: changes.apps, table: table)
        show(snapshot, confirmedAt: time)
        keeper.keep(snapshot, changes: (changes, since: revision))
    }

    /// - Parameter confirmedAt: when the database was asked; nil: the links are those of the file.
    private func show(_ snapshot: LinkSnapshot, confirmedAt: ContinuousClock.Instant? = nil) {
        var contents = LinkDirectory.Contents()
        contents.table = snapshot.table
        for app in snapshot.apps {
            contents.appNumbers[app.app.id] = app.number
            guard let version = app.rules else { continue }
            do {
                contents.rules[app.app.id] = try version.rules()
            } catch {
                logger.error(
                    "the rules of an app cannot be read; its links are read without them",
                    metadata: ["app": "\(app.app.id)", "reason": "\(error)"]
                )
            }
        }
        contents.isLoaded = true
        contents.revision = confirmedAt == nil ? nil : snapshot.revision
        contents.confirmedAt = confirmedAt
        directory.replace(with: contents)
    }
}
