import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Keys")
struct KeyRingTests {
    typealias Base = StorageTesting

    @Test func knowTheirHolderAtOnce() async throws {
        try await Base.with { base in
            let ring = KeyRing(pool: base.pool)
            #expect(try await ring.holder(of: "trib_w_unknown") == nil)
            let keys = try await AppStore(pool: base.pool).create(AppProfile(id: "new", name: "New"))
            let holder = try #require(try await ring.holder(of: keys.writeKey))
            #expect(holder.appID == "new")
            #expect(holder.scope == .write)
            #expect(try await ring.holder(of: keys.readKey)?.scope == .read)
        }
    }

    @Test func areStoredAsHashesOnly() async throws {
        try await Base.with { base in
            let keys = try await AppStore(pool: base.pool).create(AppProfile(id: "new", name: "New"))
            for key in [keys.writeKey, keys.readKey] {
                let rows = try await base.texts("select k::text from api_key k")
                #expect(!rows.contains { $0.contains(key) })
            }
        }
    }

    @Test func rotateWithOverlap() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            let keys = try await store.create(AppProfile(id: "new", name: "New"))
            let app = try await store.app(id: "new")
            let next = try await store.rotateKey(of: app, scope: .write, label: "next", overlap: .seconds(3600))
            let ring = KeyRing(pool: base.pool)
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            #expect(try await ring.holder(of: next) != nil)
            _ = try await store.rotateKey(of: app, scope: .write, label: "third", overlap: .zero)
            #expect(try await KeyRing(pool: base.pool).holder(of: keys.writeKey) == nil)
            #expect(try await KeyRing(pool: base.pool).holder(of: keys.readKey) != nil)
        }
    }

    @Test func keepServingWhileTheDatabaseIsAway() async throws {
        try await Base.with { base in
            let pool = PostgresPool(address: base.database.address, size: 1, applicationName: "ring")
            let ring = KeyRing(pool: pool)
            let keys = try await AppStore(pool: base.pool).create(AppProfile(id: "new", name: "New"))
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            await pool.close()
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            await #expect(throws: (any Error).self) { try await ring.holder(of: "trib_w_unknown") }
        }
    }
}
