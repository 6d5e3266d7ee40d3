import InboundLinks
import Postgres
import Settings
import Storage
import Timelines

/// The checks of the database: the server, its clock, the schema and the content.
enum DatabaseFindings {
    /// What the other checks need to know of the database.
    struct Known {
        /// Nil if it cannot be read.
        var identity: DatabaseIdentity?
        /// Whether a daemon has a session with it; nil if that is not known.
        var hasDaemon: Bool?
        /// Whether no server was asked, because of what the address says.
        var isAddressRefused = false
    }

    /// - Parameter retention: the settings of the daemon.
    static func all(
        _ database: DatabaseOptions,
        _ retention: RetentionSettings
    ) async -> ([DoctorFinding], Known) {
        var findings: [DoctorFinding] = []
        var known = Known()
        do {
            try await database.withPool(migrating: false) { pool in
                findings.append(DoctorFinding(.good, "database: \(try pool.address)"))
                findings.append(try await serverFinding(pool))
                findings.append(try await ClockFinding.make(pool))
                known.hasDaemon = try await pool.withConnection { try Self.hasDaemon($0) }
                if case .worker = try await pool.withConnection({ try Distribution.state($0) }) {
                    // It has no schema of its own, and must get none.
                    findings += try await DistributionFindings.all(pool)
                    return
                }
                let entries = try await pool.withConnection { try Migrator().status($0) }
                let open = entries.filter { $0.state != .applied }
                findings.append(schemaFinding(open, of: entries.count))
                let cluster = try await ifPermitted("cluster") { try await DistributionFindings.all(pool) }
                findings += cluster
                if open.isEmpty {
                    known.identity = try await pool.withConnection { try DatabaseIdentity.read($0) }
                    // What is on a worker that does not answer cannot be counted.
                    let answers = !cluster.contains { $0.state == .missing }
                    if answers { findings += try await contentFindings(pool) }
                    if retention.isAutomatic { findings += try await retentionFindings(pool) }
                }
            }
        } catch let error as PostgresError where [.unsuitablePooler, .invalidAddress].contains(error.kind) {
            known.isAddressRefused = true
            findings.append(DoctorFinding(.missing, "database: \(error)"))
        } catch let error as SettingsError {
            known.isAddressRefused = true
            findings.append(DoctorFinding(.missing, "database: \(error)"))
        } catch let error as MigrationError {
            findings.append(DoctorFinding(.missing, "database: \(error)"))
        } catch let error as PostgresError where error.isPermissionDenied || error.isAuthenticationFailure {
            findings.append(
                DoctorFinding(
                    .missing,
                    "database: \(error)",
                    advice: "Name a role that may use it with --database or DATABASE_URL: the daemon's or the owner."
                )
            )
        } catch {
            findings.append(
                DoctorFinding(
                    .missing,
                    "database: \(error)",
                    advice: "Is the server running? Name another with --database or DATABASE_URL."
                )
            )
        }
        return (findings, known)
    }

    /// A check that only the owner may make says nothing about whether events can be stored.
    private static func ifPermitted(
        _ what: String,
        _ check: () async throws -> [DoctorFinding]
    ) async throws -> [DoctorFinding] {
        do {
            return try await check()
        } catch let error as PostgresError where error.isPermissionDenied {
            return [DoctorFinding(.good, "\(what): not checked: needs the owner of the tables")]
        }
    }

    /// A daemon always has a session with its database.
    private static func hasDaemon(_ connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            """
            select exists (
                select
                from pg_stat_activity
                where datname = current_database() and application_name like 'tributaryd%'
            )
            """
        )[0].bool(0)
    }

    private static func serverFinding(_ pool: PostgresPool) async throws -> DoctorFinding {
        let (version, reason) = try await pool.withConnection { connection in
            (
                try connection.query("select current_setting('server_version')")[0].text(0),
                try ReadOnlyReason.read(connection)
            )
        }
        guard let reason else { return DoctorFinding(.good, "PostgreSQL \(version)") }
        return DoctorFinding(.missing, "PostgreSQL \(version): \(reason)", advice: advice(on: reason))
    }

    private static func advice(on reason: ReadOnlyReason) -> String {
        switch reason {
        case .standby: "Name the primary with --database."
        case .role: "Reports work with it. Events need the daemon's role: name its address with --database."
        case .server: "It takes no events. Is its disk full? Whoever has set it must reset it."
        }
    }

    private static func schemaFinding(_ open: [MigrationStatus], of count: Int) -> DoctorFinding {
        if open.isEmpty { return DoctorFinding(.good, "schema: up to date, \(count.named("migration"))") }
        return DoctorFinding(
            .missing,
            "schema: \(open.map { "\($0.name) is \($0.state.rawValue)" }.joined(separator: ", "))",
            advice: "'tributary migrate' applies pending migrations; so does the daemon when it starts."
        )
    }

    private static func contentFindings(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        var findings = try await ifPermitted("apps") {
            let apps = try await AppStore(pool: pool).list()
            return [
                apps.isEmpty
                    ? DoctorFinding(
                        .good,
                        "no app yet",
                        advice: "'tributary app create --id ID --name NAME' creates one."
                    )
                    : DoctorFinding(.good, "apps: \(apps.map(\.profile.id).joined(separator: ", "))")
            ]
        }
        findings += try await ifPermitted("moves") { try await MoveFindings.all(pool) }
        findings += try await ifPermitted("rejected events") {
            let rejected = try await RejectedEventStore(pool: pool).count(RejectedEventFilter())
            return [
                DoctorFinding(
                    .good,
                    "rejected events: \(rejected)",
                    advice: rejected == 0 ? nil : "'tributary rejected list' shows why."
                )
            ]
        }
        findings += try await ifPermitted("views for BI tools") {
            [viewsFinding(try await pool.withConnection { try BIViews().finding($0) })]
        }
        findings += try await ifPermitted("outgoing") {
            guard let reason = try await pool.withConnection({ try OutgoingGate.state(on: $0) }).reason else {
                return []
            }
            return [DoctorFinding(.warning, "webhooks and schedules send nothing", advice: reason + ".")]
        }
        return try await findings + ifPermitted("links") { try await LinkFindings.all(pool) }
    }

    /// A role that stores events may well not be the owner of the tables.
    private static func retentionFindings(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        let storesEvents = try await pool.withConnection { try ReadOnlyReason.read($0) } == nil
        let store = RetentionStore(pool: pool, packed: TimelineRemoval())
        guard storesEvents, try await !store.isPermitted() else { return [] }
        return [
            DoctorFinding(
                .warning,
                "old data: a daemon with this role cannot remove it",
                advice: "Let the owner of the tables run 'tributary prune --yes' every night, and set "
                    + "retention.automatic to off for the daemon."
            )
        ]
    }

    private static func viewsFinding(_ finding: BIViews.Finding) -> DoctorFinding {
        switch finding {
        case .ready: DoctorFinding(.good, "views for BI tools: ready, and \(BIViews.role) may read them")
        case .newer: DoctorFinding(.good, "views for BI tools: created by a newer version")
        case .outdated(let advice): DoctorFinding(.warning, "views for BI tools: missing or old", advice: advice)
        case .roleIsMissing(let advice):
            DoctorFinding(.warning, "views for BI tools: \(BIViews.role) may not read them", advice: advice)
        }
    }
}
