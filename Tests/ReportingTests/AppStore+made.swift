@testable import Storage

extension AppStore {
    func made(
        _ id: String,
        currency: String,
        timeZone: String = "UTC",
        properties: [AppProperty] = []
    ) async throws -> App {
        var profile = AppProfile(id: id, name: "Random")
        profile.currency = currency
        profile.timeZone = timeZone
        _ = try await create(profile)
        let new = try await app(id: id)
        for property in properties { try await declare(property, of: new) }
        let app = try await app(id: id)
        try await pool.giveLink(to: app)
        return app
    }
}
