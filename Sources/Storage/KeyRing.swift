package import Postgres
import Crypto

/// Who holds a key.
package struct KeyHolder: Equatable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var scope: AppKey.Scope
    package var keyPrefix: String
}

/// The valid keys of the database, in memory: a request costs one hash and no query.
///
/// The ring is read anew when it is older than ``maximumAge``, so that a revoked key is refused within a second on every
/// daemon. While the database is away the last ring goes on to serve, so that events can still be accepted.
package actor KeyRing {
    private struct Ring {
        var takenAt: ContinuousClock.Instant
        /// By the first eight bytes of the hash, which says nothing of use about a key; the rest is compared in constant
        /// time.
        var entries: [UInt64: [(hash: [UInt8], holder: KeyHolder)]]

        /// All of them, to see whether there is anything new to archive.
        let hashes: Set<[UInt8]>

        init(takenAt: ContinuousClock.Instant, _ keys: [(hash: [UInt8], holder: KeyHolder)]) {
            self.takenAt = takenAt
            entries = Dictionary(grouping: keys) { KeyRing.bucket($0.hash) }
            hashes = Set(keys.map(\.hash))
        }

        func holder(of hash: [UInt8]) -> KeyHolder? {
            var found: KeyHolder?
            for entry in entries[KeyRing.bucket(hash)] ?? [] {
                let difference = zip(entry.hash, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
                if difference == 0 { found = entry.holder }
            }
            return found
        }
    }

    package static let maximumAge: Duration = .milliseconds(500)
    /// The least time between two reads, however many unknown keys are tried.
    private static let minimumPause: Duration = .milliseconds(50)

    private let pool: PostgresPool
    private let archive: Spool?
    private let clock = ContinuousClock()
    private var ring: Ring?
    private var reading: Task<Ring, any Error>?

    /// - Parameter archive: keeps the hashes of the valid keys on disk, for a start without the database.
    package init(pool: PostgresPool, archive: Spool? = nil) {
        self.pool = pool
        self.archive = archive
    }

    /// Who holds this key; nil where it is unknown, revoked or expired.
    ///
    /// - Throws: `PostgresError` when the database is away and the key has not been seen before.
    package func holder(of key: String) async throws -> KeyHolder? {
        let hash = AppKey.hash(key)
        let askedAt = clock.now
        let known = ring?.holder(of: hash)
        if let ring, let known, askedAt - ring.takenAt < Self.maximumAge {
            return known
        }
        do {
            // A key that was made a moment ago may not be in the ring yet, so an unknown one asks for a ring read since.
            while true {
                let fresh = try await freshRing()
                if known != nil || fresh.takenAt >= askedAt {
                    return fresh.holder(of: hash)
                }
            }
        } catch {
            if let known { return known }
            if ring == nil, let archive, let saved = try? archive.savedKeys(), !saved.isEmpty {
                // Stale from the start: the next key asks the database again.
                ring = Ring(takenAt: clock.now - Self.maximumAge, saved)
                if let holder = ring?.holder(of: hash) { return holder }
            }
            throw error
        }
    }

    private func freshRing() async throws -> Ring {
        if let reading {
            return try await reading.value
        }
        let pause = ring.map { Self.minimumPause - (clock.now - $0.takenAt) } ?? .zero
        let reading = Task { [pool, clock] in
            if pause > .zero { try await clock.sleep(for: pause) }
            let takenAt = clock.now
            let entries = try await pool.withConnection { connection in
                try connection.query(StoredSQL.selectValidKeys).map { row in
                    let holder = KeyHolder(
                        appNumber: Int32(try row.int(1)),
                        appID: try row.text(2),
                        scope: AppKey.Scope(rawValue: try row.text(3)) ?? .read,
                        keyPrefix: try row.text(4)
                    )
                    return (hash: try row.bytes(0), holder: holder)
                }
            }
            return Ring(takenAt: takenAt, entries)
        }
        self.reading = reading
        defer { self.reading = nil }
        let fresh = try await reading.value
        if let archive, fresh.hashes != ring?.hashes {
            try? archive.saveKeys(fresh.entries.values.flatMap(\.self))
        }
        ring = fresh
        return fresh
    }

    private static func bucket(_ hash: [UInt8]) -> UInt64 {
        hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
