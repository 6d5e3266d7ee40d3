/// The folder where events wait while the database is unavailable, and how many bytes may wait there.
package struct SpoolSettings: Equatable, Sendable {
    package var folder: String
    /// Default 1 GiB.
    package var byteLimit: Int

    /// - Parameter database: each further database has a folder of its own in that of the main database.
    package init(_ settings: SettingsReader, of database: NamedDatabase? = nil) async throws(SettingsError) {
        let home = try await DatabaseSettings.home(settings)
        folder = try await settings.string("spool.folder") ?? "\(home)/spool"
        if let database, !database.isMain { folder += "/\(database.name)" }
        byteLimit = try await settings.integer("spool.bytes")
    }
}
