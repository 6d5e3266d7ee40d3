package import Postgres
import Text

/// One of the databases that a daemon serves (docs/scaling.md, *Several databases*).
package struct NamedDatabase: Equatable, Sendable {
    /// The name of the database that `database.url` names, or of the private cluster.
    package static let main = "main"

    package let name: String
    package let place: DatabaseSettings

    package var isMain: Bool { name == Self.main }

    /// - Parameter place: where the main database is.
    /// - Returns: at least one, the main database first.
    /// - Throws: `SettingsError` for a name that is refused, and for a standby of none of them.
    package static func all(
        main place: DatabaseSettings,
        _ settings: SettingsReader
    ) throws(SettingsError) -> [NamedDatabase] {
        var all = [NamedDatabase(name: main, place: place)]
        for (name, url) in try settings.entries("databases") {
            guard name.isDatabaseName else {
                throw settings.error(
                    "databases",
                    "has a name that is refused: names are lower-case letters, digits and hyphens, such as games; "
                        + "the first is a letter, and spool- is no beginning"
                )
            }
            guard !all.contains(where: { $0.name == name }) else {
                throw settings.error("databases", "has the name \(name) twice; main is the one of database.url")
            }
            all.append(NamedDatabase(name: name, place: .named(url)))
        }
        var others = Set(all.dropFirst().map(\.name))
        for (name, _) in try settings.entries(standbys) where others.remove(name) == nil {
            throw settings.error(
                standbys,
                name == main
                    ? "has the name main; its standby is the one of report.database.url"
                    : "has the name \(name) twice, or databases has it not"
            )
        }
        return all
    }

    private static let standbys = "report.databases"

    /// The setting that names ``standby(_:)``.
    package var standbySetting: String { isMain ? "report.database" : Self.standbys }

    /// The standby that answers the daemon's reports of its apps; nil if none is set.
    ///
    /// - Throws: `SettingsError` for an address or a file that cannot be read.
    package func standby(_ settings: SettingsReader) async throws(SettingsError) -> PostgresAddress? {
        if isMain { return try await DatabaseSettings.standbyForReports(settings) }
        guard let entry = try settings.entries(Self.standbys).first(where: { $0.name == name }) else { return nil }
        return try DatabaseSettings.address(named: entry.text)
    }

    /// The database that a command works on.
    ///
    /// - Parameter flag: the value of `--database`: a name of the settings, or a URL. That counts as the main database.
    /// - Throws: `SettingsError` if there are several and none is chosen.
    package static func chosen(
        by flag: String?,
        _ settings: SettingsReader
    ) async throws(SettingsError) -> NamedDatabase {
        guard try !settings.entries("databases").isEmpty else {
            return try Self.all(main: await DatabaseSettings(flag: flag, settings), settings)[0]
        }
        let all = try Self.all(main: try await DatabaseSettings(flag: nil, settings), settings)
        let names = all.map(\.name).joined(separator: ", ")
        guard let flag else {
            throw SettingsError(message: "the settings name several databases: choose one with --database: \(names)")
        }
        if let database = all.first(where: { $0.name == flag }) { return database }
        guard !flag.isDatabaseName else {
            throw SettingsError(message: "no database of the settings is called \(flag); there are \(names)")
        }
        return NamedDatabase(name: main, place: .named(flag))
    }
}

extension String {
    /// Such a name is also the first label of a host that is no address, and a folder beside those of the spools.
    fileprivate var isDatabaseName: Bool {
        let isHyphen = { $0 == UInt8(ascii: "-") }
        return (1...63).contains(utf8.count)
            && utf8.allSatisfy { (97...122).contains($0) || $0.isASCIIDigit || isHyphen($0) }
            && utf8.first.map { (97...122).contains($0) } == true && utf8.last.map(isHyphen) == false
            && !hasPrefix("spool-")
    }
}
