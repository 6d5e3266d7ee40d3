/// The folder where events wait while the database is unavailable, and how many bytes may wait there.
package struct SpoolSettings: Equatable, Sendable {
    package var folder: String
    /// Default 1 GiB.
    package var byteLimit: Int

    package init(_ settings: SettingsReader) async throws(SettingsError) {
        let home = try await DatabaseSettings.home(settings)
        folder = try await settings.string("spool.folder") ?? "\(home)/spool"
        byteLimit = try await settings.integer("spool.bytes")
    }
}
