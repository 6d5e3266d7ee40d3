import InboundLinks
import Postgres
import Storage

/// The checks of the database: the server, its clock, the schema and the content.
enum DatabaseFindings {
    /// - Returns: the findings, and the identity of the database; nil if it cannot be read.
    static func all(_ database: DatabaseOptions) async -> ([DoctorFinding], DatabaseIdentity?) {
        var findings: [DoctorFinding] = []
        var identity: DatabaseIdentity?
        do {
            try await database.withPool(migrating: false) { pool in
                findings.append(DoctorFinding(.good, "database: \(try pool.address)"))
                findings.append(try await serverFinding(pool))
                findings.append(try await ClockFinding.make(pool))
                if case .worker = try await pool.withConnection({ try Distribution.state($0) }) {
                    // It has no schema of its own, and must get none.
                    findings += try await DistributionFindings.all(pool)
                    return
                }
                let entries = try await pool.withConnection { try Migrator().status($0) }
                let open = entries.filter { $0.state != .applied }
                findings.append(schemaFinding(open, of: entries.count))
                let cluster = try await DistributionFindings.all(pool)
                findings += cluster
                if open.isEmpty {
                    // Read it first: the rights of a daemon's role may not suffice for the rest.
                    identity = try await pool.withConnection { try DatabaseIdentity.read($0) }
                    // What is on a worker that does not answer cannot be counted.
                    let answers = !cluster.contains { $0.state == .missing }
                    if answers { findings += try await contentFindings(pool) }
                }
            }
        } catch {
            findings.append(
                DoctorFinding(
                    .missing,
                    "database: \(error)",
                    advice: "Is the server running? Name another with --database or DATABASE_URL."
                )
            )
        }
        return (findings, identity)
    }

    private static func serverFinding(_ pool: PostgresPool) async throws -> DoctorFinding {
        let (version, isReadOnly) = try await pool.withConnection { connection in
            let row = try connection.query(
                "select current_setting('server_version'), current_setting('transaction_read_only') = 'on'"
            )[0]
            return (try row.text(0), try row.bool(1))
        }
        if isReadOnly {
            return DoctorFinding(
                .missing,
                "PostgreSQL \(version) is read-only",
                advice: "Is this a standby? Name the primary with --database."
            )
        }
        return DoctorFinding(.good, "PostgreSQL \(version)")
    }

    private static func schemaFinding(_ open: [MigrationStatus], of count: Int) -> DoctorFinding {
        if open.isEmpty { return DoctorFinding(.good, "schema: up to date, \(count) migrations") }
        return DoctorFinding(
            .missing,
            "schema: \(open.map { "\($0.name) is \($0.state.rawValue)" }.joined(separator: ", "))",
            advice: "'tributary migrate' applies pending migrations; so does the daemon when it starts."
        )
    }

    private static func contentFindings(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        let apps = try await AppStore(pool: pool).list()
        let rejected = try await RejectedEventStore(pool: pool).count(RejectedEventFilter())
        let views = try await pool.withConnection { try BIViews().finding($0) }
        return [
            apps.isEmpty
                ? DoctorFinding(.good, "no app yet", advice: "'tributary app create --id ID --name NAME' creates one.")
                : DoctorFinding(.good, "apps: \(apps.map(\.profile.id).joined(separator: ", "))"),
            DoctorFinding(
                .good,
                "rejected events: \(rejected)",
                advice: rejected == 0 ? nil : "'tributary rejected list' shows why."
            ),
            viewsFinding(views),
        ] + (try await LinkFindings.all(pool))
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
