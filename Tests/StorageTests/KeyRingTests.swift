import InboundLinks
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Synchronization
import Testing

@Suite("Keys")
struct KeyRingTests {
    typealias Base = StorageTesting

    @Test func knowTheirHolderAtOnce() async throws {
        try await Base.with { base in
            let ring = KeyRing.patient(base.pool)
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
            let ring = KeyRing.patient(base.pool)
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            #expect(try await ring.holder(of: next) != nil)
            _ = try await store.rotateKey(of: app, scope: .write, label: "third", overlap: .zero)
            #expect(try await KeyRing.patient(base.pool).holder(of: keys.writeKey) == nil)
            #expect(try await KeyRing.patient(base.pool).holder(of: keys.readKey) != nil)
        }
    }

    @Test func keepServingWhileTheDatabaseIsAway() async throws {
        try await Base.with { base in
            let pool = PostgresPool(address: base.database.address, size: 1, applicationName: "ring")
            let ring = KeyRing.patient(pool)
            let keys = try await AppStore(pool: base.pool).create(AppProfile(id: "new", name: "New"))
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            await pool.close()
            #expect(try await ring.holder(of: keys.writeKey) != nil)
            await #expect(throws: (any Error).self) { try await ring.holder(of: "trib_w_unknown") }
        }
    }

    /// Otherwise events with these keys would be stored in the other database, under the same app number.
    @Test func areOfNoUseOnceAnotherDatabaseIsInThePlaceOfTheirs() async throws {
        try await Base.withFolder { folder in
            let keys = FakeKeys(["good"])
            let spool = try await Spool.open(in: folder, of: nil, logger: Logger(label: "test"))
            let ring = keys.ring(archive: spool)
            await ring.read()
            #expect(try await ring.holder(of: "good") != nil)
            keys.replace()
            await ring.read()
            await #expect(
                throws: SpoolError.ofAnotherDatabase(path: spool.path, origin: DatabaseIdentity(text: "fake"))
            ) {
                try await ring.holder(of: "good")
            }
        }
    }

    @Test func areKnownToWhoeverComesAfterAReadingAhead() async throws {
        let keys = FakeKeys(["good"])
        let ring = keys.ring()
        await ring.read()
        keys.hang()
        #expect(try await ring.holder(of: "good") != nil)
        #expect(keys.readings == 1)
    }

    @Test func areUselessWithinASecondOfTheirRevocation() async throws {
        let keys = FakeKeys(["good", "bad"])
        let ring = keys.ring()
        #expect(try await ring.holder(of: "bad") != nil)
        keys.set(["good"])
        keys.pass(.milliseconds(999))
        #expect(try await ring.holder(of: "bad") == nil)
        #expect(try await ring.holder(of: "good") != nil)
    }

    @Test func expireInMemory() async throws {
        let keys = FakeKeys(["old"], expiresAt: Timestamp.now.microseconds - 1)
        #expect(try await keys.ring().holder(of: "old") == nil)
        let later = FakeKeys(["new"], expiresAt: Timestamp.now.microseconds + 3_600_000_000)
        #expect(try await later.ring().holder(of: "new") != nil)
    }

    @Test func areAnsweredFromTheOldRingWhileTheDatabaseHangs() async throws {
        let keys = FakeKeys(["good"])
        let ring = keys.ring(patience: .milliseconds(20))
        await ring.read()
        keys.hang()
        keys.pass(.seconds(10))
        for _ in 0..<100 { #expect(try await ring.holder(of: "good") != nil) }
        await #expect(throws: KeyRingError.tookTooLong) { try await ring.holder(of: "unknown") }
        #expect(keys.readings == 2)
        keys.set([])
        keys.resume()
        // The hanging reading ends at some time. A request after that asks for a new one.
        keys.pass(.seconds(1))
        var isRefused = false
        var tries = 0
        while !isRefused, tries < 1_000_000 {
            tries += 1
            do {
                isRefused = try await ring.holder(of: "good") == nil
            } catch KeyRingError.tookTooLong {
                // On a busy machine, even a reading that does nothing may be late.
            }
            await Task.yield()
        }
        #expect(isRefused)
    }

    @Test func ofOthersAreNotDelayedByUnknownOnes() async throws {
        let keys = FakeKeys(["good"])
        let ring = keys.ring()
        #expect(try await ring.holder(of: "good") != nil)
        keys.hang()
        keys.pass(.milliseconds(300))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask { _ = try? await ring.holder(of: "unknown \(number)") }
            }
            // These requests end although no reading ends.
            for _ in 0..<100 {
                let holder = try? await ring.holder(of: "good")
                #expect(holder != nil)
            }
            keys.resume()
        }
        // Together they have asked for one reading that began after the last of them, and for no more.
        #expect(keys.readings <= 3)
    }

    @Test func recordTheirLastUseOnce() async throws {
        try await Base.with { base in
            let keys = try await AppStore(pool: base.pool).create(AppProfile(id: "new", name: "New"))
            let ring = KeyRing.patient(base.pool)
            for _ in 0..<3 { _ = try await ring.holder(of: keys.writeKey) }
            try await ring.recordUses()
            let app = try await AppStore(pool: base.pool).app(id: "new")
            let used = try await AppStore(pool: base.pool).keys(of: app)
            #expect(used.first { $0.scope == .write }?.lastUsedAt != nil)
            #expect(used.first { $0.scope == .read }?.lastUsedAt == nil)
            _ = try await base.pool.withConnection { try $0.execute("update api_key set last_used_at = null") }
            try await ring.recordUses()
            #expect(try await base.count("select count(*) from api_key where last_used_at is not null") == 0)
        }
    }

    @Test func keepAUseThatCouldNotBeRecorded() async throws {
        let keys = FakeKeys(["good"])
        let ring = keys.ring()
        _ = try await ring.holder(of: "good")
        keys.failRecording(true)
        await #expect(throws: (any Error).self) { try await ring.recordUses() }
        // A new reading in between must not lose the use either.
        keys.pass(.seconds(2))
        _ = try await ring.holder(of: "unknown")
        keys.failRecording(false)
        try await ring.recordUses()
        #expect(keys.recorded == 1)
    }

    @Test(arguments: [0, 1, 31, 33])
    func neverMatchAHashOfAnotherLength(count: Int) async throws {
        let hash = AppKey.hash("key")
        let odd = ValidKey(hash: Array((hash + hash).prefix(count)), holder: FakeKeys.holder, expiresAt: nil)
        #expect(KeyTable([odd]).entry(of: hash) == nil)
    }
}
