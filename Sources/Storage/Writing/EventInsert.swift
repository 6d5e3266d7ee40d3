import Events
import InboundLinks
import Postgres
import Time

/// Stores events of different ids, each once, in a transaction that began with ``opening``.
///
/// The ids are claimed first (``claimAtOnce(on:)``, ``claimInTurn(on:)``); only what was new is then copied, straight into
/// the table: COPY knows no "on conflict", but is the cheapest way to bring in rows. So nothing is joined, and nothing is
/// written twice.
/// All keys come in an order of their own, so that two who store the same ones wait for one another and not for each
/// other.
struct EventInsert {
    /// Which event of which submission.
    struct Row {
        var submission: Int
        var index: Int
    }

    enum Outcome {
        case stored
        /// The id, or the feed post, was stored before.
        case duplicate
        /// The person or the app has been erased since the event was received. The key of a person's event is kept, so
        /// that no retry brings it back.
        case erased
    }

    /// All events were believed to be new, of people and apps that are there, and were not: the group is to be begun again, after
    /// ``OptimisticInserts/failed()``.
    struct OptimisticInsertFailed: Error {}

    /// The lock is the one that COPY takes. Whoever erases looks for it, so it is there before the first look at what has
    /// been erased (`select_storing_transactions.sql`). A plan by a scan of a table that was still small would be kept
    /// while the table grows. The plans are right for groups of every size, so none is made anew for the group at hand,
    /// which the planner would do for ever where it believes that groups are small.
    static let opening = [
        "lock table only event in row exclusive mode",
        "set local enable_seqscan = off",
        "set local plan_cache_mode = force_generic_plan",
    ]

    private let submissions: [EventWriter.Submission]
    private let rows: [Row]
    /// For each row.
    private(set) var outcomes: [Outcome]
    /// What is linked when this is committed.
    private var linked: [(key: LinkCache.Key, place: Int)] = []

    init(_ rows: some Collection<Row>, of submissions: [EventWriter.Submission]) {
        self.submissions = submissions
        self.rows = Array(rows)
        outcomes = Array(repeating: .stored, count: rows.count)
    }

    /// - Parameter place: in `rows`.
    private subscript(place: Int) -> Event {
        @inline(__always) get { submissions[rows[place].submission].events[rows[place].index] }
    }

    private func app(_ place: Int) -> Int32 {
        submissions[rows[place].submission].appNumber
    }

    /// - Throws: ``OptimisticInsertFailed``, ``PostgresError``.
    mutating func store(on connection: isolated PostgresConnection) throws {
        let claimed =
            connection.memory { OptimisticInserts() }.isAllNew
            ? try claimAtOnce(on: connection) : try claimInTurn(on: connection)
        guard !claimed.rows.isEmpty else { return }
        try connection.copyIn(EventRow.copyStatement, claimed.rows.data(of: claimed.transaction))
        let known = connection.memory { LinkCache() }
        known.begin(revision: claimed.linkRevision)
        // Last, since many groups name the same devices, and who comes second waits for the first one's end.
        try insertLinks(transaction: claimed.transaction, unless: known, on: connection)
    }

    /// To be called after the commit: what is linked now need not be looked up again.
    func remember(on connection: isolated PostgresConnection) {
        let known = connection.memory { LinkCache() }
        for (key, place) in linked { known.learn(key, at: self[place].occurredAt, self[place].id) }
    }

    // MARK: - Keys

    /// What may be stored.
    private struct Claim {
        var transaction: Int64
        /// Counts the removals of links.
        var linkRevision: Int64?
        var rows: EventRows
    }

    private struct Key: Comparable {
        var app: Int32
        var id: EventID
        var place: Int

        static func < (first: Key, second: Key) -> Bool {
            first.app == second.app ? first.id < second.id : first.app < second.app
        }
    }

    /// Claims keys and posts in one round trip, and makes the rows meanwhile, since nothing is believed to be stored already.
    private mutating func claimAtOnce(on connection: isolated PostgresConnection) throws -> Claim {
        let keys = sortedKeys()
        let posts = takePosts()
        var statements = [(StoredSQL.insertNewEventKeys, parameters(of: keys))]
        if !posts.isEmpty { statements.append((StoredSQL.insertFeedPostKeys, parameters(of: posts))) }
        var copied = EventRows(capacity: 0)
        let results = try Self.translatingBelief { try connection.query(statements) { copied = makeRows() } }
        let row = results[0][0]
        guard try row.intArray(2).isEmpty, suspects(since: try row.timestamp(1)).isEmpty else {
            throw OptimisticInsertFailed()
        }
        if !posts.isEmpty, try !keep(posts, claimed: results[1]) { copied = makeRows() }
        return Claim(transaction: try row.int64(0), linkRevision: try row.optionalInt64(3), rows: copied)
    }

    /// Claims keys, looks who has been erased, and then claims the posts of those events that are left.
    private mutating func claimInTurn(on connection: isolated PostgresConnection) throws -> Claim {
        let keys = sortedKeys()
        let row = try connection.query(StoredSQL.insertEventKeys, parameters(of: keys))[0]
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
        let suspects = suspects(since: try row.timestamp(1))
        let wasRight = !foundStored && deletedApps.isEmpty && suspects.isEmpty
        connection.memory { OptimisticInserts() }.looked(wasRight: wasRight)
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
        var distinctApps: [Int64] = []
        for key in keys {
            apps.append(int32: key.app)
            ids.append(uuidHigh: key.id.high, low: key.id.low)
            times.append(timestamp: self[key.place].receivedAt.microseconds)
            if distinctApps.last != Int64(key.app) { distinctApps.append(Int64(key.app)) }
        }
        return [.array(apps), .array(ids), .array(times), .intArray(distinctApps)]
    }

    /// The events that are to be stored, as far as is known.
    private func makeRows() -> EventRows {
        let copied = EventRows(capacity: rows.count)
        for place in rows.indices where outcomes[place] == .stored { copied.append(self[place], app: app(place)) }
        return copied
    }

    private static func translatingBelief<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as PostgresError where error.isTakenEventKey {
            throw OptimisticInsertFailed()
        }
    }

    /// Whether the next of the keys that were free is this one.
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

    // MARK: - Erased people

    /// Events whose person may have been erased since they were received.
    ///
    /// - Parameter latestErasure: of any person; microseconds since 1970.
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

    /// The posts with an id, each once, in the order of their keys. Of several in the group the first in order of arrival wins.
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

    /// - Parameter fresh: the posts that were free.
    /// - Returns: whether all were.
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
        PostgresError(.unexpectedResult, "keys came back in another order", statement: statement)
    }

    // MARK: - Whom devices and clicks stand for

    private mutating func insertLinks(
        transaction: Int64,
        unless known: LinkCache,
        on connection: isolated PostgresConnection
    ) throws {
        var devices = EarliestEvents()
        var clicks = EarliestEvents()
        for place in rows.indices where outcomes[place] == .stored {
            let (hasUser, device, click) = (self[place].userID != nil, self[place].deviceID, self[place].clickID)
            let (time, id) = (self[place].occurredAt, self[place].id)
            if let device, hasUser, isNew(.device, device, place, unless: known) {
                devices.add(AppText(app: app(place), text: device), at: time, id, place: place)
            }
            if let click, hasUser || device != nil, isNew(.click, click, place, unless: known) {
                clicks.add(AppText(app: app(place), text: click), at: time, id, place: place)
            }
        }
        guard !devices.isEmpty || !clicks.isEmpty else { return }
        var (users, clickUsers) = (PostgresArray(.text), PostgresArray(.text))
        var clickDevices = PostgresArray(.text)
        let device = devices.columns { users.append(text: self[$0].userID) }
        let click = clicks.columns { place in
            let user = self[place].userID
            clickUsers.append(text: user)
            clickDevices.append(text: user == nil ? self[place].deviceID : nil)
        }
        try connection.executeWithNext(
            StoredSQL.insertLinks,
            [
                .array(device.apps), .array(device.keys), .array(users), .array(device.times), .array(device.ids),
                .array(click.apps), .array(click.keys), .array(clickUsers), .array(clickDevices), .array(click.times),
                .array(click.ids), .int(transaction),
            ]
        )
    }

    /// Whether an event may be the earliest that says whom a device or a click stands for; then it is to be remembered.
    private mutating func isNew(_ kind: LinkCache.Kind, _ text: String, _ place: Int, unless known: LinkCache) -> Bool {
        let key = LinkCache.Key(kind, app: app(place), text)
        guard !known.isKnown(key, before: self[place].occurredAt, self[place].id) else { return false }
        linked.append((key, place))
        return true
    }
}
