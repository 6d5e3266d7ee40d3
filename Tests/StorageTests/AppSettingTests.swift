import JSONReading
import Redirects
import Testing
@testable import Storage

@Suite("Settings of an app's links")
struct AppSettingTests {
    /// An app whose settings are all others than a new app's. No two of its texts are equal.
    private static func filled() throws -> LinkApp {
        var app = LinkApp(id: "other", name: "Other")
        for field in LinkAppField.all {
            let fresh = field.value(app)
            for json in [#""\#(field.name)""#, "false", #""code""#, #"{"de": {"open": "x"}}"#] {
                let document = try JSONDocument(reading: "[\(json)]".utf8)
                if let value = document.root.elements.first(where: { _ in true }) { try? field.set(value, &app) }
                if field.value(app) != fresh { break }
            }
            #expect(field.value(app) != fresh, "\(field.name) takes none of these values")
        }
        return app
    }

    @Test func areKeptByTheirNames() async throws {
        try await StorageTesting.with { base in
            let store = AppStore(pool: base.pool)
            var profile = AppProfile(id: "other", name: "Other")
            let blank = profile
            profile.linkApp = try Self.filled()
            _ = try await store.create(profile)
            let created = try await store.app(id: "other")
            #expect(created.profile == profile)
            _ = try await store.update(created) { $0 = blank }
            #expect(try await store.app(id: "other").profile == blank)
        }
    }
}
