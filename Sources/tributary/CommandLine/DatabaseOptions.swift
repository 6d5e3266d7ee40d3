import ArgumentParser
import Logging
import Postgres
import Reporting
import Settings
import Storage

/// The database that a command works on.
struct DatabaseOptions: ParsableArguments {
    static let urlMeaning =
        "The database, or its name in the settings (default: DATABASE_URL, otherwise a private cluster under "
        + ".tributary)."
    static let fileMeaning = "A YAML file of settings (default: tributary.yaml, if it exists)."

    @Option(name: .customLong("database"), help: ArgumentHelp("\(urlMeaning)", valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp("\(fileMeaning)", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    /// Writes warnings and errors to standard error.
    static var logger: Logger {
        var logger = Logger(label: "tributary", factory: { LineLogHandler(label: $0) })
        logger.logLevel = .warning
        return logger
    }

    /// The database that the options choose.
    func chosen() async throws -> NamedDatabase {
        try await NamedDatabase.chosen(by: url, SettingsReader(file: file))
    }

    /// The address of the database. Starts the private cluster if that is the database.
    func address() async throws -> PostgresAddress {
        try await chosen().place.address(logger: Self.logger)
    }

    /// How many connections may share a report.
    func reportConnections() async throws -> Int {
        try await ReportSettings(SettingsReader(file: file)).connections
    }

    /// Runs the body with connections to the database.
    ///
    /// - Parameters:
    ///   - size: the most connections. They are made when they are needed.
    ///   - migrating: whether the database is brought to this program's schema first. A standby must have it.
    ///   - readsOnly: whether the body can run on a standby. Other bodies are refused there.
    func withPool<Result>(
        size: Int = 2,
        migrating: Bool = true,
        readsOnly: Bool = false,
        _ body: (PostgresPool) async throws -> Result
    ) async throws -> Result {
        let pool = PostgresPool(
            address: try await address(),
            size: size,
            applicationName: "tributary",
            // Reports, imports and deletions may take hours; the user can interrupt them.
            options: PostgresOptions(statementTimeout: nil, variants: DistributedStatements.variants),
            logger: Self.logger
        )
        do {
            if migrating {
                try await pool.withConnection { try Self.prepare($0, readsOnly: readsOnly) }
            }
            let result = try await body(pool)
            await pool.close()
            return result
        } catch {
            var reason: ReadOnlyReason?
            if let error = error as? PostgresError, error.isReadOnly {
                reason = try? await pool.withConnection { try ReadOnlyReason.read($0) }
            }
            await pool.close()
            throw reason.map(CommandFailure.readOnly) ?? error
        }
    }

    private static func prepare(_ connection: isolated PostgresConnection, readsOnly: Bool) throws {
        guard try StandbyPosition.read(connection) != nil else {
            _ = try Migrator().migrate(connection)
            return
        }
        guard readsOnly else { throw CommandFailure.needsPrimary }
        guard try !Migrator().isBehind(connection) else {
            throw CommandFailure(
                .databaseUnavailable,
                "the schema of this standby is older than this program: run 'tributary migrate' on its primary"
            )
        }
    }
}
