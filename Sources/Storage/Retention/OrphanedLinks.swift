import InboundLinks
import Postgres

/// The links of people who have no events left.
struct OrphanedLinks {
    private static let keysAtOnce = 5_000

    let app: Int32
    /// People of whom nothing was linked before it are not looked at.
    let before: Timestamp
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    private var number: PostgresValue { .int(Int64(app)) }

    /// Removes them, in small transactions.
    func remove(_ counts: inout DeletionCounts, on connection: isolated PostgresConnection) throws {
        let horizon = try connection.query("select transaction_horizon()")[0].int64(0)
        let orphans = try connection.query(
            StoredSQL.selectOrphanedKeys,
            [number, .timestamp(microseconds: before.microseconds)]
        ).map { row in (key: try row.text(0), person: try row.text(1)) }
        var removals: [Int64] = []
        for start in stride(from: 0, to: orphans.count, by: Self.keysAtOnce) {
            progress(DeletionProgress("deleting links of people without events", done: start, total: orphans.count))
            let some = orphans[start..<min(start + Self.keysAtOnce, orphans.count)]
            let done = try StoringTransactions.retrying {
                try connection.transaction { try remove(some, since: horizon, on: connection) }
            }
            removals.append(done.removal)
            counts["device_link"] += done.devices
            counts["click_link"] += done.clicks
        }
        // Whoever has come back meanwhile has seen the links still there.
        try LinkRemoval.finish(removals, in: app, on: connection)
    }

    /// - Parameter horizon: events of transactions below it are known not to be of these people.
    private func remove(
        _ orphans: ArraySlice<(key: String, person: String)>,
        since horizon: Int64,
        on connection: isolated PostgresConnection
    ) throws -> (removal: Int64, devices: Int, clicks: Int) {
        // Whoever packs has packed events that are committed by now, or will know nothing of the links.
        try packed.prepareLinkRemoval(in: app, on: connection)
        let removal = try LinkRemoval.note(in: app, on: connection)
        // Events that came in while these people were looked for may be packed as theirs: they stay until next time.
        let keys = try connection.query(
            StoredSQL.selectDesertedKeys,
            [number, .int(horizon), .textArray(orphans.map(\.key)), .textArray(orphans.map(\.person))]
        ).map { try $0.text(0) }
        return (
            removal,
            try connection.execute(StoredSQL.deleteDeviceLinks, [number, .textArray(Self.ids("d", of: keys))]),
            try connection.execute(StoredSQL.deleteClickLinks, [number, .textArray(Self.ids("c", of: keys))])
        )
    }

    /// By bytes: an id may begin with an accent that belongs to the letter before it.
    private static func ids(_ kind: Unicode.Scalar, of keys: some Sequence<String>) -> [String] {
        keys.filter { $0.utf8.first == UInt8(ascii: kind) }.map { String(decoding: $0.utf8.dropFirst(), as: UTF8.self) }
    }
}
