import Ingest
import Logging
import Settings
import Storage

/// A database of the settings, and what the first look at it has found. Nothing serves it yet.
struct DatabaseLook: Sendable {
    /// In the settings.
    let position: Int
    let address: DatabaseAddress
    let pools: DatabasePools
    let schema: DatabaseSchema
    /// Nil if it is away, or was never migrated.
    let identity: DatabaseIdentity?
    /// With the name of the database, if there are several.
    let metrics: PrometheusMetrics
    let logger: Logger

    /// Looks at all at once, so that the start waits for the slowest one alone.
    ///
    /// - Returns: those of the settings, in their order.
    /// - Throws: the error of the first that the daemon cannot serve. The log says which.
    static func all(
        of settings: DaemonSettings,
        metrics: PrometheusMetrics,
        logger: Logger
    ) async throws -> [DatabaseLook] {
        let looks = await withTaskGroup(of: (Int, Result<DatabaseLook, any Error>).self) { group in
            for position in settings.databases.indices {
                group.addTask {
                    do {
                        let look = try await DatabaseLook(position, of: settings, metrics: metrics, logger: logger)
                        return (position, .success(look))
                    } catch {
                        return (position, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [Int: Result<DatabaseLook, any Error>]()) { $0[$1.0] = $1.1 }
        }
        let found = try settings.databases.indices.compactMap { position -> DatabaseLook? in
            do {
                return try looks[position]?.get()
            } catch {
                if settings.databases.count > 1 {
                    logger.error(
                        "the daemon cannot serve a database, and ends",
                        metadata: ["database": "\(settings.databases[position].name)", "reason": "\(error)"]
                    )
                }
                throw error
            }
        }
        try checkIdentities(of: found, settings)
        return found
    }

    /// A spool says by the identity of its database where it belongs. Of two databases with the same one, each would
    /// take events of the other's apps.
    private static func checkIdentities(of looks: [DatabaseLook], _ settings: DaemonSettings) throws {
        let known = Dictionary(grouping: looks.filter { $0.identity != nil }, by: \.identity)
        for same in known.values where same.count > 1 {
            let names = same.map { settings.databases[$0.position].name }.joined(separator: " and ")
            throw SettingsError(
                message: "the databases \(names) are one, or copies of one: name each once. To go on with a copy as a "
                    + "database of its own, run in it: update database_identity set identity = gen_random_uuid()"
            )
        }
    }

    private init(
        _ position: Int,
        of settings: DaemonSettings,
        metrics: PrometheusMetrics,
        logger: Logger
    ) async throws {
        let database = settings.databases[position]
        var (metrics, logger) = (metrics, logger)
        if settings.databases.count > 1 {
            metrics = metrics.labelled("database", database.name)
            logger[metadataKey: "database"] = "\(database.name)"
        }
        self.position = position
        self.metrics = metrics
        self.logger = logger
        address = try DatabaseAddress(database.place, logger: logger)
        pools = DatabasePools(
            address: address,
            storeDeadline: settings.ingest.limits.storeDeadline,
            reportConnections: settings.reports.connections,
            standby: settings.standbys[position],
            logger: logger
        )
        schema = DatabaseSchema(pool: pools.delivering, logger: logger)
        identity = address.isKnown ? try await schema.look() : nil
    }
}
