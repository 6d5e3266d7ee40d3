import EmbeddedPostgres
import Foundation
package import Logging
package import Postgres

/// The database that a program uses: one that a setting names, or a private cluster.
package enum DatabaseSettings: Equatable, Sendable {
    /// A libpq URL or keyword string. It may hold a password, so it is never shown.
    case named(String)
    /// The embedded cluster under this folder (`TRIBUTARY_HOME`, default `.tributary`).
    case embedded(home: String)

    /// Takes the first setting that names a database, in the order of docs/configuration.md, *Which database*.
    ///
    /// - Parameters:
    ///   - flag: the value of `--database`.
    ///   - environment: default, the process's.
    /// - Throws: `SettingsError` if the flag is empty, as in a script whose variable is not set: libpq would choose a
    ///   database. Also if the file of `database.urlFile` cannot be read or is empty.
    package init(
        flag: String?,
        _ settings: SettingsReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) {
        if let flag {
            guard !flag.allSatisfy(\.isWhitespace) else { throw SettingsError(message: "--database names no database") }
            self = .named(flag)
        } else if let url = try await Self.url("database", settings, environment: environment)
            ?? environment["DATABASE_URL"], !url.isEmpty
        {
            self = .named(url)
        } else {
            self = .embedded(home: try await Self.home(settings))
        }
    }

    static func home(_ settings: SettingsReader) async throws(SettingsError) -> String {
        try await settings.string("home") ?? ""
    }

    /// The URL that a setting holds, such as `database.url`, or that the file of another holds, such as
    /// `database.urlFile`. The file overrides the URL, unless the environment has the URL. Nil: neither is set.
    static func url(
        _ key: String,
        _ settings: SettingsReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) -> String? {
        let fileKey = key + ".urlFile"
        guard environment[Setting.named(key + ".url")?.variable ?? ""] == nil,
            let path = try await settings.string(fileKey)
        else { return try await settings.string(key + ".url") }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw settings.error(fileKey, "is wrong: the file \(path) cannot be read")
        }
        let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !url.isEmpty else { throw settings.error(fileKey, "is wrong: the file \(path) is empty") }
        return url
    }

    /// The address of the database. Creates and starts the private cluster if that is the database.
    ///
    /// - Throws: `SettingsError` for an address that cannot be read, `EmbeddedPostgresError`.
    package func address(logger: Logger) async throws -> PostgresAddress {
        switch self {
        case .named(let url):
            return try Self.address(named: url)
        case .embedded(let home):
            return try await EmbeddedPostgres(home: home, logger: logger).start()
        }
    }

    /// The standby that answers the daemon's reports from the main database (`report.database`); nil if none is set.
    ///
    /// - Throws: `SettingsError` for an address or a file that cannot be read.
    static func standbyForReports(_ settings: SettingsReader) async throws(SettingsError) -> PostgresAddress? {
        guard let url = try await url("report.database", settings), !url.isEmpty else { return nil }
        return try address(named: url)
    }

    /// The address of a libpq URL or keyword string.
    package static func address(named url: String) throws(SettingsError) -> PostgresAddress {
        do {
            return try PostgresAddress(url)
        } catch {
            throw SettingsError(message: "the database address cannot be read: \(error)")
        }
    }
}
