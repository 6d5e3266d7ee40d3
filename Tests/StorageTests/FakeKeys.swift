import Postgres
@testable import Storage
import Synchronization

/// A source of keys and a clock, both controlled by the test.
final class FakeKeys: Sendable {
    struct Away: Error {}

    private struct State {
        var keys: [ValidKey]
        var readings = 0
        var recorded = 0
        var failsRecording = false
        var hangs = false
        var isReplaced = false
        var hanging: [CheckedContinuation<Void, Never>] = []
        var now = ContinuousClock.now
    }

    static let holder = KeyHolder(appNumber: 1, appID: "shop", scope: .write, keyPrefix: "trib_w_test")

    private let state: Mutex<State>
    private let expiresAt: Int64?

    init(_ keys: [String], expiresAt: Int64? = nil) {
        self.expiresAt = expiresAt
        state = Mutex(State(keys: Self.valid(keys, expiresAt)))
    }

    var readings: Int { state.withLock { $0.readings } }
    var recorded: Int { state.withLock { $0.recorded } }

    func ring(archive: Spool? = nil, patience: Duration = .seconds(60)) -> KeyRing {
        KeyRing(source: source, archive: archive, patience: patience) { self.state.withLock { $0.now } }
    }

    func set(_ keys: [String]) {
        state.withLock { $0.keys = Self.valid(keys, expiresAt) }
    }

    func pass(_ duration: Duration) {
        state.withLock { $0.now += duration }
    }

    func failRecording(_ fails: Bool) {
        state.withLock { $0.failsRecording = fails }
    }

    /// Puts another database in the place of this one.
    func replace() {
        state.withLock { $0.isReplaced = true }
    }

    /// Keeps readings from ending until ``resume()`` is called.
    func hang() {
        state.withLock { $0.hangs = true }
    }

    func resume() {
        let hanging = state.withLock { state in
            state.hangs = false
            defer { state.hanging = [] }
            return state.hanging
        }
        for continuation in hanging { continuation.resume() }
    }

    private var source: KeySource {
        KeySource(
            validKeys: { [self] in
                state.withLock { $0.readings += 1 }
                await withCheckedContinuation { continuation in
                    let hangs = state.withLock { state in
                        if state.hangs { state.hanging.append(continuation) }
                        return state.hangs
                    }
                    if !hangs { continuation.resume() }
                }
                return state.withLock { state in
                    let database = DatabaseIdentity(text: state.isReplaced ? "another" : "fake")
                    return KeySource.Reading(keys: state.keys, database: database)
                }
            },
            recordUses: { [self] uses in
                try state.withLock { state in
                    if state.failsRecording { throw Away() }
                    state.recorded += uses.count
                }
            }
        )
    }

    private static func valid(_ keys: [String], _ expiresAt: Int64?) -> [ValidKey] {
        keys.map { ValidKey(hash: AppKey.hash($0), holder: holder, expiresAt: expiresAt) }
    }
}

extension KeyRing {
    /// The daemon's setting with more patience: a machine that runs all tests at the same time may read slowly.
    static func patient(_ pool: PostgresPool) -> KeyRing {
        KeyRing(source: KeySource(pool: pool), patience: .seconds(60))
    }
}
