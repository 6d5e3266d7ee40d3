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

    let store: LinkStore
    let schema: DatabaseSchema
    let directory: LinkDirectory
    let file: LinkFile
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var revision: Int64?
            var complaint: String?
            while !Task.isCancelled {
                if schema.isMigrated {
                    do {
                        revision = try await follow(from: revision)
                        complaint = nil
                    } catch {
                        directory.mark(isCurrent: false)
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
    }

    /// Serves the links of the file until the database tells of newer ones.
    func readFile() async {
        do {
            guard let snapshot = try await file.read() else { return }
            show(snapshot.table, snapshot.apps, isCurrent: false)
            logger.info("serving the links of the last run", metadata: ["links": "\(snapshot.table.count)"])
        } catch {
            logger.warning("the links of the last run cannot be read", metadata: ["reason": "\(error)"])
        }
    }

    /// - Parameter revision: of the links in memory; nil if they are not the database's.
    /// - Returns: the revision of the links in memory now.
    private func follow(from revision: Int64?) async throws -> Int64 {
        if let revision, try await store.currentRevision() == revision {
            directory.mark(isCurrent: true)
            return revision
        }
        guard let revision, let changes = try await store.changes(since: revision) else {
            let snapshot = try await store.snapshot()
            show(snapshot.table, snapshot.apps)
            await keep { try await file.replace(with: snapshot) }
            return snapshot.revision
        }
        let old = directory.contents
        var table = old.table
        let ids = Set(changes.apps.map(\.app.id))
        for id in old.appNumbers.keys where !ids.contains(id) { table.set(LinkApp(id: id, name: id), hosts: []) }
        for app in changes.apps { table.set(app.app, hosts: app.hosts) }
        for address in changes.removed { table.remove(host: address.host, slug: address.slug) }
        for link in changes.set { table.set(link) }
        show(table, changes.apps)
        await keep {
            do {
                try await file.apply(changes, since: revision)
            } catch {
                // The file lacks earlier changes, or is damaged.
                try await file.replace(
                    with: LinkSnapshot(revision: changes.revision, apps: changes.apps, table: table)
                )
            }
        }
        return changes.revision
    }

    private func show(_ table: LinkTable, _ apps: [HostedApp], isCurrent: Bool = true) {
        var contents = LinkDirectory.Contents()
        contents.table = table
        for app in apps { contents.appNumbers[app.app.id] = app.number }
        contents.isLoaded = true
        contents.isCurrent = isCurrent
        directory.replace(with: contents)
    }

    /// The file matters only if the daemon starts without the database. If it cannot be written, links are served
    /// nevertheless.
    private func keep(_ write: () async throws -> Void) async {
        do {
            try await write()
        } catch {
            logger.warning("the links cannot be kept in a file", metadata: ["reason": "\(error)"])
        }
    }
}
