import Events
import InboundLinks
import Postgres

/// Stores events of different ids, each once, in a transaction that began with ``opening``.
///
/// The ids are claimed first (`insert_event_keys.sql`); only what was new is then copied, straight into the table: COPY
/// knows no "on conflict", but is the cheapest way to bring in rows. So nothing is joined, and nothing is written twice.
/// All keys come in an order of their own, so that two who store the same ones wait for one another and not for each
/// other.
struct EventStoring {
    typealias Item = (event: Event, app: Int32)

    enum Outcome {
        case stored
        /// The id, or the feed post, was stored before.
        case duplicate
        /// The person or the app has been erased since the event was received. The key of a person's event is kept, so
        /// that no retry brings it back.
        case erased
    }

    /// The lock is the one that COPY takes. Whoever erases looks for it, so it is there before the first look at what has
    /// been erased (`select_storing_transactions.sql`). A plan by a scan of a table that was still small would be kept
    /// while the table grows.
    static let opening = "lock table only event in row exclusive mode; set local enable_seqscan = off"

    private let items: [Item]
    /// For each item.
    private(set) var outcomes: [Outcome]

    init(_ items: [Item]) {
        self.items = items
        outcomes = Array(repeating: .stored, count: items.count)
    }

    mutating func store(on connection: isolated PostgresConnection) throws {
        let claim = try claimKeys(on: connection)
        try dropErased(since: claim.latestErasure, on: connection)
        try claimPosts(on: connection)
        let data = PostgresCopyData(capacity: 512 * items.count)
        for (item, outcome) in zip(items, outcomes) where outcome == .stored {
            EventRow.append(item.event, app: item.app, transaction: claim.transaction, to: data)
        }
        guard !data.isEmpty else { return }
        try connection.copyIn(EventRow.copyStatement, data)
        // Last, since many groups name the same devices, and who comes second waits for the first one's end.
        try insertLinks(transaction: claim.transaction, on: connection)
    }

    // MARK: - Keys

    private struct Claim {
        var transaction: Int64
        /// When the latest person was erased; microseconds since 1970.
        var latestErasure: Int64
    }

    private mutating func claimKeys(on connection: isolated PostgresConnection) throws -> Claim {
        let order = items.indices.sorted { first, second in
            (items[first].app, items[first].event.id) < (items[second].app, items[second].event.id)
        }
        var apps = PostgresArray(.int32, capacity: items.count)
        var ids = PostgresArray(.uuid, capacity: items.count)
        var times = PostgresArray(.timestamp, capacity: items.count)
        for index in order {
            let item = items[index]
            apps.append(int32: item.app)
            ids.append(uuidHigh: item.event.id.high, low: item.event.id.low)
            times.append(timestamp: item.event.receivedAt.microseconds)
        }
        let distinctApps = Set(items.lazy.map(\.app)).sorted().map { Int64($0) }
        let row = try connection.query(
            StoredSQL.insertEventKeys,
            [.array(apps), .array(ids), .array(times), .intArray(distinctApps)]
        )[0]
        let deletedApps = Set(try row.intArray(2).map { Int32(truncatingIfNeeded: $0) })
        var fresh = try row.optionalBytes(3)?[...] ?? []
        for index in order {
            if deletedApps.contains(items[index].app) {
                outcomes[index] = .erased
            } else if !takeKey(of: items[index], from: &fresh) {
                outcomes[index] = .duplicate
            }
        }
        guard fresh.isEmpty else {
            throw Self.unordered(StoredSQL.insertEventKeys)
        }
        return Claim(transaction: try row.int64(0), latestErasure: try row.timestamp(1))
    }

    /// Whether the next of the keys that were free is the item's.
    private func takeKey(of item: Item, from fresh: inout ArraySlice<UInt8>) -> Bool {
        let isFirst = fresh.withUnsafeBytes { bytes in
            bytes.count >= 20
                && Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)) == item.app
                && UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)) == item.event.id.high
                && UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)) == item.event.id.low
        }
        if isFirst { fresh.removeFirst(20) }
        return isFirst
    }

    // MARK: - Erased people

    private mutating func dropErased(since latestErasure: Int64, on connection: isolated PostgresConnection) throws {
        let suspects = items.indices.filter {
            outcomes[$0] == .stored && items[$0].event.receivedAt.microseconds < latestErasure
        }
        guard !suspects.isEmpty else { return }
        var apps = PostgresArray(.int32)
        var users = PostgresArray(.text)
        var devices = PostgresArray(.text)
        var clicks = PostgresArray(.text)
        var times = PostgresArray(.timestamp)
        for index in suspects {
            let event = items[index].event
            apps.append(int32: items[index].app)
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

    private mutating func claimPosts(on connection: isolated PostgresConnection) throws {
        var firsts: [AppText: Int] = [:]
        for index in items.indices where outcomes[index] == .stored {
            guard case .feedPost(let post) = items[index].event.content, let id = post.postID else { continue }
            // Of several in the group the first in order of arrival wins.
            let key = AppText(app: items[index].app, text: id)
            if firsts[key] == nil {
                firsts[key] = index
            } else {
                outcomes[index] = .duplicate
            }
        }
        guard !firsts.isEmpty else { return }
        let ordered = firsts.sorted { $0.key < $1.key }
        var apps = PostgresArray(.int32, capacity: ordered.count)
        var posts = PostgresArray(.text, capacity: ordered.count)
        var ids = PostgresArray(.uuid, capacity: ordered.count)
        for (key, index) in ordered {
            apps.append(int32: key.app)
            posts.append(text: key.text)
            ids.append(uuidHigh: items[index].event.id.high, low: items[index].event.id.low)
        }
        let fresh = try connection.query(StoredSQL.insertFeedPostKeys, [.array(apps), .array(posts), .array(ids)])
        guard fresh.count < ordered.count else { return }
        var position = 0
        for (key, index) in ordered {
            if position < fresh.count, try isKey(key.app, items[index].event.id, in: fresh[position]) {
                position += 1
            } else {
                outcomes[index] = .duplicate
            }
        }
        guard position == fresh.count else { throw Self.unordered(StoredSQL.insertFeedPostKeys) }
    }

    private func isKey(_ app: Int32, _ id: EventID, in row: PostgresRow) throws -> Bool {
        let found = try row.uuid(1)
        return try row.int64(0) == Int64(app) && found.high == id.high && found.low == id.low
    }

    private static func unordered(_ statement: String) -> PostgresError {
        PostgresError(.unexpectedResult, "keys came back in another order", statement: statement)
    }

    // MARK: - Whom devices and clicks stand for

    private func insertLinks(transaction: Int64, on connection: isolated PostgresConnection) throws {
        var devices = EarliestEvents(items)
        var clicks = EarliestEvents(items)
        for index in items.indices where outcomes[index] == .stored {
            let event = items[index].event
            if let device = event.deviceID, event.userID != nil {
                devices.add(index, for: device)
            }
            if let click = event.clickID, event.userID != nil || event.deviceID != nil {
                clicks.add(index, for: click)
            }
        }
        guard !devices.isEmpty || !clicks.isEmpty else { return }
        let (device, click) = (devices.columns, clicks.columns)
        try connection.execute(
            StoredSQL.insertLinks,
            [
                .array(device.apps), .array(device.keys), .array(device.users), .array(device.times),
                .array(device.ids),
                .array(click.apps), .array(click.keys), .array(click.users), .array(click.devices),
                .array(click.times), .array(click.ids), .int(transaction),
            ]
        )
    }
}
