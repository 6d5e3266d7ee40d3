import EmbeddedPostgres
import Foundation
package import Logging
package import Postgres

/// Which database to use: one that is named, or a private cluster of our own.
package enum DatabaseSettings: Equatable, Sendable {
    /// A libpq URL or keyword string. May hold a password: never shown.
    case named(String)
    /// The embedded cluster under this folder (`TRIBUTARY_HOME`, default `.tributary`).
    case embedded(home: String)

    /// `--database`, else `TRIBUTARY_DATABASE_URL` or the file's `database.url`, else `DATABASE_URL`, else embedded.
    package init(
        flag: String?,
        _ settings: SettingsReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) {
        if let flag {
            self = .named(flag)
        } else if let url = try await settings.string("database.url") ?? environment["DATABASE_URL"], !url.isEmpty {
            self = .named(url)
        } else {
            self = .embedded(home: try await settings.string("home") ?? ".tributary")
        }
    }

    /// Where the database is; the embedded cluster is made and started where it is asked for.
    ///
    /// - Throws: `SettingsError` for an address that cannot be read, `EmbeddedPostgresError`.
    package func address(logger: Logger) async throws -> PostgresAddress {
        switch self {
        case .named(let url):
            do {
                return try PostgresAddress(url)
            } catch {
                throw SettingsError(message: "the database address cannot be read: \(error)")
            }
        case .embedded(let home):
            return try await EmbeddedPostgres(home: home, logger: logger).start()
        }
    }
}
