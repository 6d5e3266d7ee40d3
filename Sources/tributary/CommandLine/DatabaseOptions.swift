import ArgumentParser
import Logging
import Postgres
import Settings
import Storage

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .customLong("database"),
        help: ArgumentHelp(
            "The database; default DATABASE_URL, else a private cluster under .tributary.",
            valueName: "url"
        )
    )
    var url: String?

    @Option(name: .customLong("config"), help: ArgumentHelp("A YAML file of settings.", valueName: "file"))
    var file: String?

    /// Messages for people go to standard error; nothing below a warning concerns them.
    static var logger: Logger {
        var logger = Logger(label: "tributary", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        return logger
    }

    /// Where the database is; the embedded cluster is started where it is asked for.
    func address() async throws -> PostgresAddress {
        let settings = try await SettingsReader(file: file)
        return try await DatabaseSettings(flag: url, settings).address(logger: Self.logger)
    }

    /// Runs with connections to a database that has this program's schema.
    func withPool<Result>(
        size: Int = 2,
        migrating: Bool = true,
        _ body: (PostgresPool) async throws -> Result
    ) async throws -> Result {
        let pool = PostgresPool(
            address: try await address(),
            size: size,
            applicationName: "tributary",
            // Reports, imports and deletions take as long as they take; whoever asked for them can end them.
            options: PostgresOptions(statementTimeout: nil),
            logger: Self.logger
        )
        do {
            if migrating {
                _ = try await pool.withConnection { try Migrator().migrate($0) }
            }
            let result = try await body(pool)
            await pool.close()
            return result
        } catch {
            await pool.close()
            throw error
        }
    }
}
