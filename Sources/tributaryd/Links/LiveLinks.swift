import InboundLinks
import Ingest
import Logging
import Redirects
import Storage
import Synchronization

/// The links that are served, and their copy in a file. All that changes them comes here, one after the other, and
/// nothing takes back what is newer.
final class LiveLinks: LinkObserver {
    let directory: LinkDirectory
    let keeper: LinkFileKeeper
    private let complaints: Complaints
    /// Held by whoever changes the links. Visitors do not need it.
    private let changing = Mutex(())

    init(directory: LinkDirectory, keeper: LinkFileKeeper, logger: Logger) {
        self.directory = directory
        self.keeper = keeper
        complaints = Complaints("the rules of an app cannot be read; its links are read without them", logger)
    }

    var revision: Int64? { directory.contents.revision }

    /// Serves the links of the file. They may have changed since.
    func show(unconfirmed snapshot: LinkSnapshot) {
        changing.withLock { _ in show(snapshot, revision: nil, confirmedAt: nil) }
    }

    /// Serves the links of the database, whatever was served before.
    ///
    /// - Parameter time: when the database was asked.
    func show(_ snapshot: LinkSnapshot, confirmedAt time: ContinuousClock.Instant) {
        changing.withLock { _ in
            show(snapshot, revision: snapshot.revision, confirmedAt: time)
            keeper.keep(snapshot)
        }
    }

    func take(_ changes: LinkChanges, since revision: Int64) {
        take(changes, since: revision, confirmedAt: nil)
    }

    /// - Parameters:
    ///   - revision: all changes after it are there. Those that are known already do no harm.
    ///   - time: when the database was asked; nil: as it was told before.
    func take(_ changes: LinkChanges, since revision: Int64, confirmedAt time: ContinuousClock.Instant?) {
        changing.withLock { _ in
            let old = directory.contents
            guard let known = old.revision, revision <= known, known < changes.revision else {
                if let time { directory.confirm(at: time) }
                return
            }
            var table = old.table
            let ids = Set(changes.apps.map(\.app.id))
            for id in old.appNumbers.keys where !ids.contains(id) { table.set(LinkApp(id: id, name: id), hosts: []) }
            for app in changes.apps { table.set(app.app, hosts: app.hosts) }
            for address in changes.removed { table.remove(host: address.host, slug: address.slug) }
            for link in changes.set { table.set(link) }
            let snapshot = LinkSnapshot(revision: changes.revision, apps: changes.apps, table: table)
            show(snapshot, revision: changes.revision, confirmedAt: time ?? old.confirmedAt)
            keeper.keep(snapshot)
        }
    }

    private func show(_ snapshot: LinkSnapshot, revision: Int64?, confirmedAt: ContinuousClock.Instant?) {
        var contents = LinkDirectory.Contents()
        contents.table = snapshot.table
        for app in snapshot.apps {
            contents.appNumbers[app.app.id] = app.number
            if app.hasMoved { contents.movedApps.insert(app.app.id) }
            do {
                contents.rules[app.app.id] = try app.rules?.rules()
                complaints.record(nil, ["app": "\(app.app.id)"])
            } catch {
                complaints.record("\(error)", ["app": "\(app.app.id)"])
            }
            if let key = app.metaReferrerKey { contents.rules[app.app.id, default: .none].metaReferrerKey = key }
            if !app.properties.isEmpty {
                contents.rules[app.app.id, default: .none].declaredProperties = app.properties
            }
        }
        contents.isLoaded = true
        contents.revision = revision
        contents.confirmedAt = confirmedAt
        directory.replace(with: contents)
    }
}
