import InboundLinks
import Time
import Postgres

/// The links of people who have no events left.
struct OrphanedLinks {
    /// Whoever packs waits for each piece, and each reads the events that have come in since the search.
    private static let keysAtOnce = 50_000

    let app: Int32
    /// People of whom nothing was linked before it are not looked at.
    let before: Timestamp
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    private var number: PostgresValue { .int(Int64(app)) }

    /// A device or click of somebody who has no events left.
    private struct Orphan {
        var key: String
        var person: String
        /// Whom it stands for by events of others.
        var user: String?
        var device: String?
        var time: Timestamp?
        var event: String?
    }

    private struct Removal {
        var number: Int64
        var devices: Int
        var clicks: Int
    }

    /// Removes them, in small transactions.
    func remove(_ counts: inout DeletionCounts, on connection: isolated PostgresConnection) throws {
        try LinkRemoval.alone(in: app, on: connection) { try removeAlone(&counts, on: connection) }
    }

    private func removeAlone(_ counts: inout DeletionCounts, on connection: isolated PostgresConnection) throws {
        let horizon = try connection.query("select transaction_horizon()")[0].int64(0)
        let orphans = try connection.query(
            StoredSQL.selectOrphanedKeys,
            [number, .timestamp(microseconds: before.microseconds)]
        ).map { row in
            Orphan(
                key: try row.text(0),
                person: try row.text(1),
                user: try row.optionalText(2),
                device: try row.optionalText(3),
                time: try row.optionalTimestamp(4).map { Timestamp(microseconds: $0) },
                event: try row.optionalText(5)
            )
        }
        var removals: [Int64] = []
        for start in stride(from: 0, to: orphans.count, by: Self.keysAtOnce) {
            progress(DeletionProgress("deleting links of people without events", done: start, total: orphans.count))
            let some = Array(orphans[start..<min(start + Self.keysAtOnce, orphans.count)])
            let done = try StoringTransactions.retrying {
                try connection.transaction { try remove(some, since: horizon, on: connection) }
            }
            removals.append(done.number)
            counts["device_link"] += done.devices
            counts["click_link"] += done.clicks
        }
        // Whoever has come back meanwhile has seen the links still there.
        try LinkRemoval.finish(removals, in: app, on: connection)
    }

    /// - Parameter horizon: events of transactions below it are known not to be of these people.
    private func remove(
        _ orphans: [Orphan],
        since horizon: Int64,
        on connection: isolated PostgresConnection
    ) throws -> Removal {
        // Of what has come in since the planner knows nothing.
        try connection.execute(
            "select set_config('enable_seqscan', 'off', true), set_config('work_mem', '64MB', true)"
        )
        // Whoever packs has packed events that are committed by now, or will know nothing of the links.
        try packed.prepareLinkRemoval(in: app, on: connection)
        let removal = try LinkRemoval.note(in: app, on: connection)
        // Events that came in while these people were looked for may be packed as theirs: they stay until next time.
        let deserted = try connection.query(
            StoredSQL.selectDesertedKeys,
            [number, .int(horizon), .textArray(orphans.map(\.key)), .textArray(orphans.map(\.person))]
        ).map { orphans[try $0.int(0) - 1] }
        let devices = Self.links("d", of: deserted)
        let clicks = Self.links("c", of: deserted)
        let done = Removal(
            number: removal,
            devices: try connection.execute(StoredSQL.deleteDeviceLinks, [number, .textArray(devices.map(\.id))]),
            clicks: try connection.execute(StoredSQL.deleteClickLinks, [number, .textArray(clicks.map(\.id))])
        )
        try link(.device, devices, on: connection)
        try link(.click, clicks, on: connection)
        return done
    }

    /// Gives devices or clicks to those whom events that are left name.
    private func link(
        _ kind: PersonKey.Kind,
        _ links: [(id: String, orphan: Orphan)],
        on connection: isolated PostgresConnection
    ) throws {
        let said = links.compactMap { link -> (String, Orphan, Timestamp, String)? in
            guard let time = link.orphan.time, let event = link.orphan.event else { return nil }
            return (link.id, link.orphan, time, event)
        }
        guard !said.isEmpty else { return }
        try connection.execute(
            StoredSQL.linkPeople,
            [
                number, .text(kind.rawValue), .textArray(said.map(\.0)), .textArray(said.map { $0.1.user ?? "" }),
                .textArray(said.map { $0.1.device ?? "" }), .textArray(said.map(\.2.rfc3339)),
                .textArray(said.map(\.3)),
            ]
        )
    }

    /// By bytes: an id may begin with an accent that belongs to the letter before it.
    private static func links(_ kind: Unicode.Scalar, of orphans: [Orphan]) -> [(id: String, orphan: Orphan)] {
        orphans.filter { $0.key.utf8.first == UInt8(ascii: kind) }
            .map { (String(decoding: $0.key.utf8.dropFirst(), as: UTF8.self), $0) }
    }
}
