import Answering
import Ingest
import Logging
@testable import Storage
import Synchronization
import Testing

@testable import tributaryd

@Suite("Keys of several databases")
struct DatabasesAuthenticatorTests {
    private static let origin = "https://shop.example"

    /// Readings that do not end before ``end()``.
    private final class Hanging: Sendable {
        private let state: Mutex<(passing: Int, waiters: [CheckedContinuation<Void, Never>])>

        /// - Parameter passing: how many end at once.
        init(passing: Int = 0) { state = Mutex((passing: passing, waiters: [])) }

        func wait() async {
            await withCheckedContinuation { waiter in
                let passes = state.withLock { state in
                    if state.passing == 0 { state.waiters.append(waiter) } else { state.passing -= 1 }
                    return state.waiters.isEmpty
                }
                if passes { waiter.resume() }
            }
        }

        func end() {
            let waiters = state.withLock { state in
                defer { state = (.max, []) }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    private static func ring(
        _ number: Int,
        key: String,
        hasMoved: Bool = false,
        patience: Duration = .seconds(600),
        hanging: Hanging? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> RingAuthenticator {
        let holder = KeyHolder(
            appNumber: 1,
            appID: "app\(number)",
            scope: .app,
            keyPrefix: key,
            origins: [origin],
            hasMoved: hasMoved
        )
        let source = KeySource(
            validKeys: {
                await hanging?.wait()
                return KeySource.Reading(
                    keys: [ValidKey(hash: AppKey.hash(key), holder: holder, expiresAt: nil)],
                    database: DatabaseIdentity(text: "\(number)")
                )
            },
            recordUses: { _ in }
        )
        return RingAuthenticator(
            ring: KeyRing(source: source, patience: patience, now: now),
            database: number,
            failures: FailureTable(logger: Logger(label: "test"))
        )
    }

    /// Whether the first or another one hangs.
    @Test(.timeLimit(.minutes(1)), arguments: [0, 1, 2])
    func areFoundWhileADatabaseHangs(position: Int) async throws {
        let hanging = Hanging()
        defer { hanging.end() }
        let keys = DatabasesAuthenticator(
            rings: (0..<3).map { Self.ring($0, key: "key\($0)", hanging: $0 == position ? hanging : nil) }
        )
        for number in 0..<3 where number != position {
            let found = try await keys.principal(forKey: "key\(number)")
            #expect(found?.database == number && found?.appID == "app\(number)")
        }
        let isKnown = try await keys.isKnown(origin: Self.origin)
        #expect(isKnown)
    }

    /// The app has moved from a database whose ring has not heard of it, and now hangs.
    @Test(.timeLimit(.minutes(1))) func areFoundWhileTheDatabaseHangsThatTheAppHasLeft() async throws {
        let hanging = Hanging(passing: 1)
        defer { hanging.end() }
        let later = Mutex(Duration.zero)
        let now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now + later.withLock { $0 } }
        let rings = (0..<2).map { Self.ring($0, key: "a", hanging: $0 == 0 ? hanging : nil, now: now) }
        for ring in rings { await ring.ring.read() }
        later.withLock { $0 = .seconds(1) }
        let found = try await DatabasesAuthenticator(rings: rings).principal(forKey: "a")
        #expect(found?.database == 1)
    }

    @Test func areNotRefusedForADatabaseThatHangs() async throws {
        let hanging = Hanging()
        defer { hanging.end() }
        let keys = DatabasesAuthenticator(rings: [
            Self.ring(0, key: "a"), Self.ring(1, key: "b", patience: .milliseconds(10), hanging: hanging),
        ])
        await #expect(throws: SinkError.self) { _ = try await keys.principal(forKey: "nobody") }
        await #expect(throws: SinkError.self) { _ = try await keys.isKnown(origin: "https://other.example") }
        hanging.end()
        let settled = DatabasesAuthenticator(rings: [Self.ring(0, key: "a"), Self.ring(1, key: "b")])
        let nobody = try await settled.principal(forKey: "nobody")
        #expect(nobody == nil)
    }

    @Test func areThoseOfTheDatabaseThatTheAppHasMovedTo() async throws {
        for live in 0...1 {
            let rings = (0...1).map { Self.ring($0, key: "a", hasMoved: $0 != live) }
            let found = try await DatabasesAuthenticator(rings: rings).principal(forKey: "a")
            #expect(found?.database == live)
        }
        let moved = DatabasesAuthenticator(rings: [Self.ring(0, key: "a", hasMoved: true), Self.ring(1, key: "b")])
        let found = try await moved.principal(forKey: "a")
        #expect(found?.database == 0)
    }
}
