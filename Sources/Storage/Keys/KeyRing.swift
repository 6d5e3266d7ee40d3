import InboundLinks
import Time
package import Postgres
import Synchronization

/// The valid keys of the database, in memory: a request costs one hash and no query.
///
/// While keys are used the ring is read anew four times a second, behind the requests, so that a revoked key is refused
/// within a second on every daemon. Where the database is away or hangs, the last ring goes on to serve, so that events
/// can still be accepted; nobody waits longer than a second for it. Unknown keys, however many, share those readings.
package final class KeyRing: Sendable {
    private let source: KeySource
    private let archive: Spool?
    private let patience: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<KeyRingState>

    /// - Parameters:
    ///   - pool: best of its own: whoever has the connections keeps new keys from being known.
    ///   - archive: keeps the hashes of the valid keys on disk, for a start without the database.
    package convenience init(pool: PostgresPool, archive: Spool? = nil) {
        self.init(source: KeySource(pool: pool), archive: archive)
    }

    /// - Parameter patience: how long a request waits for one reading.
    init(
        source: KeySource,
        archive: Spool? = nil,
        patience: Duration = .seconds(1),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.source = source
        self.archive = archive
        self.patience = patience
        self.now = now
        let archived = (try? archive?.savedKeys()).map { KeyTable($0) }
        state = Mutex(KeyRingState(archived: archived))
    }

    /// Reads the keys once, as far as the pool's limits let it; call it before requests come, so that the first of them
    /// does not wait for it. A failure is kept: requests meet it as if one of them had read.
    package func read() async {
        let askedAt = now()
        let result: Result<KeyTable, any Error>
        do {
            result = .success(try await readTable())
        } catch {
            result = .failure(error)
        }
        resume(state.withLock { $0.readingEnded(result, askedAt: askedAt, now: now()) })
    }

    /// Who holds this key; nil where it is unknown, revoked or expired.
    ///
    /// - Throws: when the database is away and the key has not been seen before.
    package func holder(of key: String) async throws -> KeyHolder? {
        let hash = AppKey.hash(key)
        let askedAt = now()
        var hasWaited = false
        while true {
            let (step, reading) = state.withLock {
                $0.step(for: hash, askedAt: askedAt, hasWaited: hasWaited, now: now())
            }
            if let reading { start(reading) }
            switch step {
            case .known(let entry):
                return Self.holder(of: entry)
            case .unknown:
                return nil
            case .unavailable(let error):
                throw error
            case .wait:
                hasWaited = true
                await withCheckedContinuation { continuation in
                    if !state.withLock({ $0.enqueue(continuation) }) { continuation.resume() }
                }
            }
        }
    }

    /// The same for a key that the ring knows well enough, without waiting.
    ///
    /// - Returns: nil where ``holder(of:)`` has to be asked.
    package func holderAtOnce(of key: String) -> KeyHolder? {
        let hash = AppKey.hash(key)
        let time = now()
        let (step, reading) = state.withLock { $0.step(for: hash, askedAt: time, hasWaited: false, now: time) }
        if let reading { start(reading) }
        guard case .known(let entry) = step else { return nil }
        return Self.holder(of: entry)
    }

    /// Nil where the key has expired.
    private static func holder(of entry: KeyTable.Entry) -> KeyHolder? {
        let time = Timestamp.now
        guard !entry.key.isExpired(at: time) else { return nil }
        entry.use.mark(at: time)
        return entry.key.holder
    }

    /// Writes when keys were used since the last call. Call it about once a minute: it is for people, not for rules.
    package func recordUses() async throws {
        let entries = state.withLock { $0.table }?.entries ?? []
        let used = entries.compactMap { entry in entry.use.take().map { (entry: entry, time: $0) } }
        guard !used.isEmpty else { return }
        do {
            try await source.recordUses(used.map { (hash: $0.entry.key.hash, time: $0.time) })
        } catch {
            for (entry, time) in used { entry.use.putBack(time) }
            throw error
        }
    }

    private func start(_ reading: KeyRingState.Reading) {
        let lateness = Task { [self] in
            // A cancelled one finds another reading, or none.
            try? await Task.sleep(for: patience)
            resume(state.withLock { $0.readingIsLate(reading.number) })
        }
        Task { [self] in
            if reading.pause > .zero { try? await Task.sleep(for: reading.pause) }
            await read()
            lateness.cancel()
        }
    }

    private func readTable() async throws -> KeyTable {
        let reading = try await source.validKeys()
        // What comes by these keys may go into the spool.
        try await archive?.claim(for: reading.database)
        let former = state.withLock { $0.table }
        let table = KeyTable(reading.keys, after: former)
        if let archive, former.map({ !$0.holdsTheSame(as: table) }) ?? true {
            try? await archive.saveKeys(reading.keys)
        }
        return table
    }

    private func resume(_ waiters: [KeyRingState.Waiter]) {
        for waiter in waiters { waiter.resume() }
    }
}
