import InboundLinks
import Time
import Postgres
@testable import Storage
import Testing

@Suite("Keys of an app")
struct AppKeyTests {
    typealias Base = StorageTesting

    @Test func thereMayBeSeveral() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            let first = try await store.addKey(of: base.app, scope: .read, label: "bi", lifetime: nil)
            let second = try await store.addKey(of: base.app, scope: .read, label: "cli", lifetime: .seconds(3600))
            let ring = KeyRing.patient(base.pool)
            for key in [first, second] { #expect(try await ring.holder(of: key)?.scope == .read) }
            let keys = try await store.keys(of: base.app)
            #expect(keys.map(\.label).sorted() == ["bi", "cli", "first", "first"])
            #expect(keys.first { $0.label == "bi" }?.expiresAt == nil)
            #expect(keys.first { $0.label == "cli" }?.expiresAt ?? 0 > Timestamp.now.microseconds)
        }
    }

    @Test func oneIsRevokedByAnySpelling() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            func revoke(_ text: String) async throws -> AppStore.KeyRevocation {
                try await store.revokeKey(of: base.app, named: try #require(AppKey.Name(text)))
            }
            let spellings: [(String) -> String] = [
                { $0 }, { AppKey.prefix(of: $0) }, { AppKey.prefix(of: $0) + "…" }, { $0.prefix(12) + "..." },
                { $0.prefix(20) + "***" }, { "'Authorization: Bearer \($0)'\n" },
            ]
            for spelling in spellings {
                let key = try await store.addKey(of: base.app, scope: .write, label: "", lifetime: nil)
                #expect(try await revoke(spelling(key)) == .revoked)
                #expect(try await KeyRing.patient(base.pool).holder(of: key) == nil)
                #expect(try await revoke(spelling(key)) == .alreadyRevoked)
                // Another key that begins alike is no key of the app.
                #expect(try await revoke(String(key.dropLast()) + (key.last == "0" ? "1" : "0")) == .unknown)
            }
            #expect(try await revoke("trib_w_none") == .unknown)
            #expect(AppKey.Name("trib_w_") == nil && AppKey.Name("Xy3kQabcdefg") == nil)
            #expect(try await store.keys(of: base.app).count { $0.revokedAt == nil } == 2)
        }
    }

    @Test func noneIsRevokedWhereSeveralBeginAlike() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await base.pool.withConnection { try $0.execute("update api_key set prefix = 'trib_x_same'") }
            await #expect(throws: AppStore.SeveralKeys.self) {
                try await store.revokeKey(of: base.app, named: .prefix("trib_x_same"))
            }
            #expect(try await store.keys(of: base.app).allSatisfy { $0.revokedAt == nil })
        }
    }

    @Test func anotherAppsIsLeftAlone() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            let keys = try await store.create(AppProfile(id: "other", name: "Other"))
            #expect(try await store.revokeKey(of: base.app, named: .whole(keys.writeKey)) == .unknown)
            #expect(try await KeyRing.patient(base.pool).holder(of: keys.writeKey) != nil)
        }
    }
}
