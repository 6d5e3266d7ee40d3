import Ingest
import Logging
import ServiceLifecycle

/// What chooses one of the daemon's databases for a request. With one database there is nothing to choose, and that one
/// answers itself.
struct Door {
    let authenticator: any KeyAuthenticator
    let readiness: any ReadinessProbe
    let pages: any PageResponder
    /// Those of all databases, in the order in which they start.
    let services: [ServedDatabase.Configuration]

    /// - Parameter databases: at least one, in the order of the settings.
    init(to databases: [ServedDatabase], logger: Logger) {
        var services = databases.flatMap { database in
            database.services(beside: databases.filter { $0.name != database.name })
        }
        if databases.count == 1 {
            (authenticator, readiness) = (databases[0].authenticator, databases[0].readiness)
            pages = databases[0].dashboard
        } else {
            let conflicts = LinkConflicts(
                directories: databases.map { ($0.name, $0.apps.directory) },
                logger: logger
            )
            authenticator = DatabasesAuthenticator(rings: databases.map(\.authenticator))
            readiness = DatabasesReadiness(probes: databases.map { ($0.name, $0.readiness) }, conflicts: conflicts)
            pages = Dashboards(all: databases.map { ($0.name, $0.dashboard) })
            services.append(.init(service: conflicts))
        }
        self.services = services
    }
}
