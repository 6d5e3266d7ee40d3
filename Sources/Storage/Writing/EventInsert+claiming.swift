import Events
import Postgres
import Time

/// Decides which events of a group are stored: claims their keys and post ids, and drops the events of erased people.
///
/// There are two ways, and ``OptimisticInserts`` chooses: ``claimOptimistically(on:)`` is cheaper, and
/// ``claimStepByStep(on:)`` works for any group.
extension EventInsert {
    /// What a claim gives: the rows to copy, and what goes with them.
    struct Claim {
        var transaction: Int64
        /// The revision in `link_revision`: how often links have been removed. Nil if the table has no row.
        var linkRevision: Int64?
        var rows: EventRows
    }

    // MARK: - Keys

    private struct Key: Comparable {
        var app: Int32
        var id: EventID
        var place: Int

        static func < (first: Key, second: Key) -> Bool {
            first.app == second.app ? first.id < second.id : first.app < second.app
        }
    }

    /// Assumes that every event is new and that no person or app has been erased. Claims keys and post ids in one round
    /// trip, and builds the rows while the server works.
    ///
    /// - Throws: ``OptimisticInsertFailed`` if the assumption is wrong; ``OutdatedRules``; ``PostgresError``.
    mutating func claimOptimistically(on connection: isolated PostgresConnection) throws -> Claim {
        let keys = sortedKeys()
        let posts = takePosts()
        var statements = [(StoredSQL.insertNewEventKeys, parameters(of: keys))]
        if !posts.isEmpty { statements.append((StoredSQL.insertFeedPostKeys, parameters(of: posts))) }
        var copied = EventRows(capacity: 0)
        let results = try Self.assumingNew { try connection.query(statements) { copied = makeRows() } }
        let row = results[0][0]
        try checkRules(try row.intArray(4), of: keys)
        guard try row.intArray(2).isEmpty, suspects(since: try row.timestamp(1)).isEmpty else {
            throw OptimisticInsertFailed()
        }
        if !posts.isEmpty, try !keep(posts, claimed: results[1]) { copied = makeRows() }
        return Claim(transaction: try row.int64(0), linkRevision: try row.optionalInt64(3), rows: copied)
    }

    /// Assumes nothing, and takes a round trip for each step: claims the keys, looks old events up, drops the events of
    /// erased people, and claims the post ids of the events that are left.
    /// - Throws: ``OutdatedRules``, ``PostgresError``.
    mutating func claimStepByStep(on connection: isolated PostgresConnection) throws -> Claim {
        let keys = sortedKeys()
        let row = try connection.query(StoredSQL.insertEventKeys, parameters(of: keys))[0]
        try checkRules(try row.intArray(5), of: keys)
        let deletedApps = Set(try row.intArray(2).map { Int32(truncatingIfNeeded: $0) })
        var fresh = try row.optionalBytes(4)?[...] ?? []
        var foundStored = false
        for key in keys {
            if deletedApps.contains(key.app) {
                outcomes[key.place] = .erased
            } else if !takeKey(key.app, key.id, from: &fresh) {
                outcomes[key.place] = .duplicate
                foundStored = true
            }
        }
        guard fresh.isEmpty else { throw Self.unordered(StoredSQL.insertEventKeys) }
        if try dropStored(keptFrom: try row.timestamp(6), on: connection) { foundStored = true }
        let suspects = suspects(since: try row.timestamp(1))
        let wasRight = !foundStored && deletedApps.isEmpty && suspects.isEmpty
        connection.memory { OptimisticInserts() }.recordExplicitCheck(allNew: wasRight)
        try dropErased(among: suspects, on: connection)
        let posts = takePosts()
        if !posts.isEmpty {
            _ = try keep(posts, claimed: try connection.query(StoredSQL.insertFeedPostKeys, parameters(of: posts)))
        }
        return Claim(transaction: try row.int64(0), linkRevision: try row.optionalInt64(3), rows: makeRows())
    }

    private func sortedKeys() -> [Key] {
        rows.indices.map { Key(app: app($0), id: self[$0].id, place: $0) }.sorted()
    }

    private func parameters(of keys: [Key]) -> [PostgresValue] {
        var apps = PostgresArray(.int32, capacity: keys.count)
        var ids = PostgresArray(.uuid, capacity: keys.count)
        var times = PostgresArray(.timestamp, capacity: keys.count)
        for key in keys {
            apps.append(int32: key.app)
            ids.append(uuidHigh: key.id.high, low: key.id.low)
            times.append(timestamp: self[key.place].receivedAt.microseconds)
        }
        return [.array(apps), .array(ids), .array(times), .intArray(Self.distinctApps(keys).map { Int64($0) })]
    }

    private static func distinctApps(_ keys: [Key]) -> [Int32] {
        var apps: [Int32] = []
        for key in keys where apps.last != key.app { apps.append(key.app) }
        return apps
    }

    /// - Parameter versions: those of the rules of the keys' apps, in the order of the apps.
    private func checkRules(_ versions: [Int64], of keys: [Key]) throws(OutdatedRules) {
        let current = Dictionary(zip(Self.distinctApps(keys), versions)) { first, _ in first }
        var outdated: Set<Int32> = []
        for submission in submissions {
            guard let read = submission.rulesVersion, let version = current[submission.appNumber] else { continue }
            if version != Int64(read) { outdated.insert(submission.appNumber) }
        }
        if !outdated.isEmpty { throw OutdatedRules(apps: outdated) }
    }

    /// The rows of all events whose outcome is still `stored`.
    private func makeRows() -> EventRows {
        let copied = EventRows(capacity: rows.count)
        for place in rows.indices where outcomes[place] == .stored { copied.append(self[place], app: app(place)) }
        return copied
    }

    /// Takes the next key off `fresh` if it is this one. The server sends the new keys in the order in which it got
    /// them, each as 4 + 16 bytes.
    ///
    /// - Returns: whether the key is new.
    private func takeKey(_ app: Int32, _ id: EventID, from fresh: inout ArraySlice<UInt8>) -> Bool {
        let isFirst = fresh.withUnsafeBytes { bytes in
            bytes.count >= 20
                && Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)) == app
                && UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)) == id.high
                && UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)) == id.low
        }
        if isFirst { fresh.removeFirst(20) }
        return isFirst
    }

    // MARK: - Events without a key

    /// Makes events duplicates that are stored though `event_key` does not have them any more.
    ///
    /// - Parameter keptFrom: keys that were received before it may be missing, in microseconds since 1970.
    /// - Returns: whether there were any.
    private mutating func dropStored(keptFrom: Int64, on connection: isolated PostgresConnection) throws -> Bool {
        // An event happens an hour after its receipt at the latest (`EventLimits.futureTolerance`).
        let end = keptFrom.addingReportingOverflow(Timestamp.microsecondsPerDay)
        guard !end.overflow else { return false }
        let old = rows.indices.filter {
            outcomes[$0] == .stored && self[$0].occurredAt.microseconds < end.partialValue
        }
        guard !old.isEmpty else { return false }
        var foundStored = false
        for (app, places) in Dictionary(grouping: old, by: app).sorted(by: { $0.key < $1.key }) {
            var ids = PostgresArray(.uuid, capacity: places.count)
            var times = PostgresArray(.timestamp, capacity: places.count)
            for place in places {
                ids.append(uuidHigh: self[place].id.high, low: self[place].id.low)
                times.append(timestamp: self[place].occurredAt.microseconds)
            }
            let stored = try connection.query(
                StoredSQL.selectStoredEvents,
                [.int(Int64(app)), .array(ids), .array(times)]
            )
            for row in stored { outcomes[places[try row.int(0) - 1]] = .duplicate }
            if !stored.isEmpty { foundStored = true }
        }
        return foundStored
    }

    // MARK: - Erased people

    /// The places of events whose person may have been erased since they were received.
    ///
    /// - Parameter latestErasure: the latest erasure of any person, in microseconds since 1970.
    private func suspects(since latestErasure: Int64) -> [Int] {
        rows.indices.filter { outcomes[$0] == .stored && self[$0].receivedAt.microseconds < latestErasure }
    }

    private mutating func dropErased(among suspects: [Int], on connection: isolated PostgresConnection) throws {
        guard !suspects.isEmpty else { return }
        var apps = PostgresArray(.int32)
        var users = PostgresArray(.text)
        var devices = PostgresArray(.text)
        var clicks = PostgresArray(.text)
        var times = PostgresArray(.timestamp)
        for place in suspects {
            let event = self[place]
            apps.append(int32: app(place))
            users.append(text: event.userID)
            devices.append(text: event.deviceID)
            clicks.append(text: event.clickID)
            times.append(timestamp: event.receivedAt.microseconds)
        }
        let rows = try connection.query(
            StoredSQL.selectErasedEvents,
            [.array(apps), .array(users), .array(devices), .array(clicks), .array(times)]
        )
        for row in rows {
            outcomes[suspects[try row.int(0) - 1]] = .erased
        }
    }

    // MARK: - Feed posts

    private typealias Post = (key: AppText, place: Int)

    /// The feed posts that have a post id, each id once, sorted by key. If a group has a post id twice, the first in
    /// order of arrival wins and the other is a duplicate.
    private mutating func takePosts() -> [Post] {
        var firsts: [AppText: Int] = [:]
        for place in rows.indices where outcomes[place] == .stored {
            guard case .feedPost(let post) = self[place].content, let id = post.postID else { continue }
            let key = AppText(app: app(place), text: id)
            if firsts[key] == nil {
                firsts[key] = place
            } else {
                outcomes[place] = .duplicate
            }
        }
        return firsts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func parameters(of posts: [Post]) -> [PostgresValue] {
        var apps = PostgresArray(.int32, capacity: posts.count)
        var texts = PostgresArray(.text, capacity: posts.count)
        var ids = PostgresArray(.uuid, capacity: posts.count)
        for (key, place) in posts {
            apps.append(int32: key.app)
            texts.append(text: key.text)
            ids.append(uuidHigh: self[place].id.high, low: self[place].id.low)
        }
        return [.array(apps), .array(texts), .array(ids)]
    }

    /// Makes the posts that were stored before duplicates.
    ///
    /// - Parameter fresh: the posts that were not stored before.
    /// - Returns: whether all of them are new.
    private mutating func keep(_ posts: [Post], claimed fresh: PostgresResult) throws -> Bool {
        guard fresh.count < posts.count else { return true }
        var position = 0
        for (key, place) in posts {
            if position < fresh.count, try isKey(key.app, self[place].id, in: fresh[position]) {
                position += 1
            } else {
                outcomes[place] = .duplicate
            }
        }
        guard position == fresh.count else { throw Self.unordered(StoredSQL.insertFeedPostKeys) }
        return false
    }

    private func isKey(_ app: Int32, _ id: EventID, in row: PostgresRow) throws -> Bool {
        let found = try row.uuid(1)
        return try row.int64(0) == Int64(app) && found.high == id.high && found.low == id.low
    }

    private static func unordered(_ statement: String) -> PostgresError {
        PostgresError(.unexpectedResult, "the keys came back in another order", statement: statement)
    }
}
