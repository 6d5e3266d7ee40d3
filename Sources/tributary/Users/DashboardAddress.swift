import Settings

/// The addresses of pages of the dashboard that commands print.
struct DashboardAddress {
    let settings: SendingSettings

    init(_ database: DatabaseOptions) async throws {
        settings = try await SendingSettings(SettingsReader(file: database.file)).of(database.chosen())
    }

    /// Nil if the setting `dashboard.url` is not set.
    private var base: String? { settings.dashboard }

    /// - Parameter path: with a slash before it.
    func page(_ path: String) -> String { (base ?? "") + path }

    /// Says what an address lacks.
    func remark() {
        guard base == nil else { return }
        StandardError.write(
            "put the address of your dashboard before the path; the setting dashboard.url does it by itself"
        )
    }
}
