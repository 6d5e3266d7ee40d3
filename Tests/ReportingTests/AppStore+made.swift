@testable import Storage

extension AppStore {
    func made(_ id: String, currency: String, timeZone: String = "UTC") async throws -> App {
        var profile = AppProfile(id: id, name: "Random")
        profile.currency = currency
        profile.timeZone = timeZone
        _ = try await create(profile)
        let app = try await app(id: id)
        try await pool.giveLink(to: app)
        return app
    }
}
