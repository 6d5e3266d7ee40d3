import InboundLinks
import Time
package import Postgres
import Synchronization

/// The valid keys of the database, in memory: a request costs one hash and no query.
///
/// While keys are used, the ring reads them four times a second in the background. So every daemon refuses a revoked
/// key within a second. If the database is unavailable or hangs, the last ring still answers, so that events can be
/// accepted; no request waits longer than a second. Any number of unknown keys share these readings.
///
/// ``KeyRingState`` decides what a request does; this class reads, waits and resumes.
package final class KeyRing: Sendable {
    private let source: KeySource
    private let archive: Spool?
    private let patience: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<KeyRingState>

    /// - Parameters:
    ///   - pool: preferably a pool that nothing else uses: if all connections are busy, the ring cannot read new keys.
    ///   - archive: stores the hashes of the valid keys on disk, for a start without the database.
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

    /// Reads the keys once. Call it before requests come, so that the first request need not wait. If it fails,
    /// requests get that error as if one of them had read the keys.
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

    /// The holder of a key; nil if the key is unknown, revoked or expired.
    ///
    /// - Throws: if the database is unavailable and the ring does not have the key.
    package func holder(of key: String) async throws -> KeyHolder? {
        let hash = AppKey.hash(key)
        return try await entry { $0.entry(of: hash) }.flatMap(Self.holder)
    }

    /// Whether the key is in memory, from whichever reading.
    package func knows(_ key: String) -> Bool {
        let hash = AppKey.hash(key)
        return state.withLock { $0.table?.entry(of: hash) != nil }
    }

    /// Whether pages of a web origin may use some key.
    ///
    /// - Throws: if the database is unavailable and the ring does not know.
    package func hasKey(forPagesOf origin: String) async throws -> Bool {
        try await entry { $0.entry(ofOrigin: origin, at: .now) } != nil
    }

    private func entry(finding find: (KeyTable) -> KeyTable.Entry?) async throws -> KeyTable.Entry? {
        let askedAt = now()
        var hasWaited = false
        while true {
            let (step, reading) = state.withLock {
                $0.step(askedAt: askedAt, hasWaited: hasWaited, now: now(), finding: find)
            }
            if let reading { start(reading) }
            switch step {
            case .known(let entry):
                return entry
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

    /// The holder of a key without waiting.
    ///
    /// - Returns: nil if the ring does not know the key, or knows it from too old a reading. Then call ``holder(of:)``.
    package func holderAtOnce(of key: String) -> KeyHolder? {
        let hash = AppKey.hash(key)
        let time = now()
        let (step, reading) = state.withLock { state in
            state.step(askedAt: time, hasWaited: false, now: time, readsForUnknown: false) { $0.entry(of: hash) }
        }
        if let reading { start(reading) }
        guard case .known(let entry) = step else { return nil }
        return Self.holder(of: entry)
    }

    /// Nil if the key has expired.
    private static func holder(of entry: KeyTable.Entry) -> KeyHolder? {
        let time = Timestamp.now
        guard !entry.key.isExpired(at: time) else { return nil }
        entry.use.mark(at: time)
        return entry.key.holder
    }

    /// Writes the last use of each key that was used since the last call. Call it about once a minute: the times are
    /// for people, and no rule depends on them.
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
            // Also after a cancellation: by then the reading has ended, and the state ignores its number.
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
        // Events that come with these keys may go into the spool.
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
