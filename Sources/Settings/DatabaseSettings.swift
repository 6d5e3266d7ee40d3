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

    /// `--database`, else `TRIBUTARY_DATABASE_URL`, else what the file that `database.urlFile`
    /// (`TRIBUTARY_DATABASE_URL_FILE`) names holds, else `database.url`, else `DATABASE_URL`, else embedded.
    ///
    /// The file is how a supervisor hands over a secret: a systemd credential, a Docker or Kubernetes secret.
    package init(
        flag: String?,
        _ settings: SettingsReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) {
        if let flag {
            self = .named(flag)
        } else if environment["TRIBUTARY_DATABASE_URL"] == nil, let file = try await settings.string("database.urlFile")
        {
            self = .named(try Self.url(inFile: file))
        } else if let url = try await settings.string("database.url") ?? environment["DATABASE_URL"], !url.isEmpty {
            self = .named(url)
        } else {
            self = .embedded(home: try await settings.string("home") ?? ".tributary")
        }
    }

    private static func url(inFile path: String) throws(SettingsError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw SettingsError(
                message: "the file \(path) cannot be read, which database.urlFile (TRIBUTARY_DATABASE_URL_FILE) names"
            )
        }
        let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !url.isEmpty else {
            throw SettingsError(
                message: "the file \(path) is empty, which database.urlFile (TRIBUTARY_DATABASE_URL_FILE) names"
            )
        }
        return url
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
