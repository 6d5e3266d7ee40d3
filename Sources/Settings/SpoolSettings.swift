/// The folder where events wait while the database is unavailable, and how many bytes may wait there.
package struct SpoolSettings: Equatable, Sendable {
    package var folder: String
    /// That of the main database, in which those of the others lie.
    package var root: String
    /// Default 1 GiB.
    package var byteLimit: Int

    /// - Parameter database: each further database has a folder of its own in that of the main database.
    package init(_ settings: SettingsReader, of database: NamedDatabase? = nil) async throws(SettingsError) {
        let home = try await DatabaseSettings.home(settings)
        root = try await settings.string("spool.folder") ?? "\(home)/spool"
        folder = root
        if let database, !database.isMain { folder += "/\(database.name)" }
        byteLimit = try await settings.integer("spool.bytes")
    }
}
