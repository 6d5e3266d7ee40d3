import ArgumentParser
import EmbeddedPostgres
import InboundLinks
import Time
import Postgres
import Settings
import Storage

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what Tributary needs, and say what is missing and how to get it.",
        discussion: """
            Changes nothing, but starts the private cluster if that is the database. Ends with status 69 if events \
            could not be stored now.
            """
    )

    /// The difference between two clocks that is usual and harmless.
    private static let tolerance: Duration = .seconds(5)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let settings = try await SettingsReader(file: database.file)
        let place = try await DatabaseSettings(flag: database.url, settings)
        var (findings, identity) = await databaseFindings(place)
        findings += SpoolFindings.all(try await SpoolSettings(settings), of: identity, at: .now)
        print(([programsFinding(place)] + findings).map(\.lines).joined(separator: "\n"))
        if findings.contains(where: { $0.state == .missing }) {
            throw ExitCode(CommandFailure.Status.databaseUnavailable.rawValue)
        }
    }

    private func programsFinding(_ place: DatabaseSettings) -> DoctorFinding {
        if let binaries = EmbeddedPostgres.locate() {
            return DoctorFinding(.good, "PostgreSQL \(binaries.version) server programs in \(binaries.folder)")
        }
        if case .named = place {
            return DoctorFinding(
                .good,
                "PostgreSQL server programs are not installed; with --database they are not needed"
            )
        }
        return DoctorFinding(
            .missing,
            "PostgreSQL server programs are not installed",
            advice: "Install them (\(InstallHint.current)), or name a database with --database."
        )
    }

    /// - Returns: the findings, and the identity of the database; nil if it cannot be read.
    private func databaseFindings(_ place: DatabaseSettings) async -> ([DoctorFinding], DatabaseIdentity?) {
        var findings: [DoctorFinding] = []
        var identity: DatabaseIdentity?
        do {
            try await database.withPool(migrating: false) { pool in
                findings.append(DoctorFinding(.good, "database: \(pool.address)"))
                findings.append(try await serverFinding(pool))
                findings.append(try await clockFinding(pool))
                let entries = try await pool.withConnection { try Migrator().status($0) }
                let open = entries.filter { $0.state != .applied }
                findings.append(schemaFinding(open, of: entries.count))
                if open.isEmpty {
                    // Read it first: the rights of a daemon's role may not suffice for the rest.
                    identity = try await pool.withConnection { try DatabaseIdentity.read($0) }
                    findings += try await contentFindings(pool)
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
        if case .embedded(let home) = place, let space = DiskSpace(folder: home) {
            findings.append(space.finding("the private cluster", home))
        }
        return (findings, identity)
    }

    private func serverFinding(_ pool: PostgresPool) async throws -> DoctorFinding {
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

    /// Keys expire by both clocks, and events without a time get the time of this machine: the clocks should agree.
    private func clockFinding(_ pool: PostgresPool) async throws -> DoctorFinding {
        let (before, theirs, after) = try await pool.withConnection { connection in
            let before = Timestamp.now.microseconds
            let theirs = try connection.query("select clock_timestamp()")[0].timestamp(0)
            return (before, theirs, Timestamp.now.microseconds)
        }
        // The database read its clock somewhere in between.
        let difference = theirs < before ? theirs - before : max(0, theirs - after)
        let text = "clocks: the database's is \(Double(difference / 1000) / 1000) s ahead of this machine's"
        if difference.magnitude <= Self.tolerance.wholeMicroseconds.magnitude { return DoctorFinding(.good, text) }
        return DoctorFinding(.warning, text, advice: "Synchronise both clocks with a time server (NTP).")
    }

    private func schemaFinding(_ open: [MigrationStatus], of count: Int) -> DoctorFinding {
        if open.isEmpty { return DoctorFinding(.good, "schema: up to date, \(count) migrations") }
        return DoctorFinding(
            .missing,
            "schema: \(open.map { "\($0.name) is \($0.state.rawValue)" }.joined(separator: ", "))",
            advice: "'tributary migrate' applies pending migrations; so does the daemon when it starts."
        )
    }

    private func contentFindings(_ pool: PostgresPool) async throws -> [DoctorFinding] {
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
        ]
    }

    private func viewsFinding(_ finding: BIViews.Finding) -> DoctorFinding {
        switch finding {
        case .ready: DoctorFinding(.good, "views for BI tools: ready, and \(BIViews.role) may read them")
        case .newer: DoctorFinding(.good, "views for BI tools: created by a newer version")
        case .outdated(let advice): DoctorFinding(.warning, "views for BI tools: missing or old", advice: advice)
        case .roleIsMissing(let advice):
            DoctorFinding(.warning, "views for BI tools: \(BIViews.role) may not read them", advice: advice)
        }
    }
}
