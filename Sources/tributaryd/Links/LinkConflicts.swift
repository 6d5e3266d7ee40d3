import Ingest
import Logging
import Redirects
import ServiceLifecycle

/// Ids of apps, and hosts of short links, that two databases of the daemon have. A key says which app is meant, but
/// visitors of such a host get the links of the first database.
struct LinkConflicts: Service {
    private static let pause: Duration = .seconds(60)

    /// With the names of their databases, in the order of the settings.
    let directories: [(name: String, directory: LinkDirectory)]
    let logger: Logger

    /// A sentence for each, without its full stop. An app that has moved is in one database.
    func all() -> [String] {
        var owners: [String: String] = [:]
        var conflicts: [String] = []
        for (name, directory) in directories {
            let contents = directory.contents
            let hosts = contents.table.linkHosts.filter { host in
                contents.table.app(of: host).map { !contents.movedApps.contains($0.id) } ?? false
            }
            let apps = contents.appNumbers.keys.filter { !contents.movedApps.contains($0) }
            for thing in hosts.map({ "the host \($0)" }).sorted() + apps.map({ "the app \($0)" }).sorted() {
                if let owner = owners[thing] {
                    conflicts.append("\(thing) is in the databases \(owner) and \(name)")
                } else {
                    owners[thing] = name
                }
            }
        }
        return conflicts
    }

    func run() async throws {
        let complaints = Complaints("two databases have the same; the first one of the settings serves it", logger)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let conflicts = all()
                complaints.record(conflicts.isEmpty ? nil : conflicts.joined(separator: "; "))
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
