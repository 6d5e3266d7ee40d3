import InboundLinks
import Time
import Events
import Postgres

/// The links of people who have no events left.
struct OrphanedLinks {
    /// Keys in one transaction. Packing waits while it runs, and each one reads the events that came in since the
    /// search.
    private static let keysAtOnce = 50_000

    let app: Int32
    /// Only people with a link from before this time are checked.
    let before: Timestamp
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    private var number: PostgresValue { .int(Int64(app)) }

    /// A device or click of a person who has no events left.
    private struct Orphan {
        var key: String
        var person: String
        /// The link that the events of other people give it; nil if they give none. `precedence`, `time` and `event`
        /// are those of the event that gives it.
        var user: String?
        var device: String?
        var precedence: Int32?
        var time: Timestamp?
        var event: String?
    }

    private struct Removal {
        var number: Int64
        var devices: Int
        var clicks: Int
    }

    /// Removes the links in small transactions.
    func remove(_ counts: inout DeletionCounts, on connection: isolated PostgresConnection) throws {
        try LinkRemoval.alone(in: app, on: connection, progress: progress) { try removeAlone(&counts, on: connection) }
    }

    private func removeAlone(_ counts: inout DeletionCounts, on connection: isolated PostgresConnection) throws {
        let horizon = try TransactionHorizon.read(of: app, on: connection)
        try connection.executeScript(StoredSQL.createOrphanedKeys)
        let total = try connection.execute(
            StoredSQL.insertOrphanedKeys,
            [number, .timestamp(microseconds: before.microseconds)]
        )
        var removals: [Int64] = []
        for start in stride(from: 0, to: total, by: Self.keysAtOnce) {
            progress(DeletionProgress("deleting links of people without events", done: start, total: total))
            let some = try orphans(after: start, on: connection)
            let done = try StoringTransactions.retrying {
                try connection.transaction { try remove(some, since: horizon, on: connection) }
            }
            removals.append(done.number)
            counts["device_link"] += done.devices
            counts["click_link"] += done.clicks
        }
        try connection.execute("drop table orphaned_key")
        // An event of such a person that was stored meanwhile saw the old links, and added none.
        try LinkRemoval.finish(removals, in: app, on: connection)
    }

    /// The next orphans.
    ///
    /// - Parameter place: how many came before.
    private func orphans(after place: Int, on connection: isolated PostgresConnection) throws -> [Orphan] {
        try connection.query(StoredSQL.selectOrphanedKeys, [.int(Int64(place)), .int(Int64(Self.keysAtOnce))]).map {
            Orphan(
                key: try $0.text(0),
                person: try $0.text(1),
                user: try $0.optionalText(2),
                device: try $0.optionalText(3),
                precedence: try $0.optionalInt64(4).map { Int32(truncatingIfNeeded: $0) },
                time: try $0.optionalTimestamp(5).map { Timestamp(microseconds: $0) },
                event: try $0.optionalText(6)
            )
        }
    }

    /// - Parameter horizon: no event of a transaction below it belongs to these people.
    private func remove(
        _ orphans: [Orphan],
        since horizon: Int64,
        on connection: isolated PostgresConnection
    ) throws -> Removal {
        // The planner has no statistics on events that came in since the search.
        try connection.execute(
            "select set_config('enable_seqscan', 'off', true), set_config('work_mem', '64MB', true)"
        )
        // Waits for a packing that is running. A later packing does not see the removed links.
        try packed.prepareLinkRemoval(in: app, on: connection)
        let removal = try LinkRemoval.note(in: app, on: connection)
        // Events that came in during the search may have been packed as those of these people. Such people stay until
        // the next run.
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
        var claims = PersonClaims()
        Self.add(devices, .device, to: &claims)
        Self.add(clicks, .click, to: &claims)
        try claims.insertLinks(in: app, on: connection)
        return done
    }

    /// The links that the remaining events give devices or clicks.
    private static func add(
        _ links: [(id: String, orphan: Orphan)],
        _ kind: PersonKey.Kind,
        to claims: inout PersonClaims
    ) {
        for (id, orphan) in links {
            guard let precedence = orphan.precedence, let time = orphan.time,
                let event = orphan.event.flatMap(EventID.init),
                let owner = EventKeys(userID: orphan.user, deviceID: orphan.device).owner
            else { continue }
            let claim = PersonClaim(owner: owner, precedence: precedence, occurredAt: time, eventID: event)
            claims.add(claim, of: PersonKey(kind, id))
        }
    }

    /// The devices (`d`) or clicks (`c`) among orphans. Compares bytes, not characters: an id may begin with a
    /// combining accent, which makes one character with the letter before it.
    private static func links(_ kind: Unicode.Scalar, of orphans: [Orphan]) -> [(id: String, orphan: Orphan)] {
        orphans.filter { $0.key.utf8.first == UInt8(ascii: kind) }
            .map { (String(decoding: $0.key.utf8.dropFirst(), as: UTF8.self), $0) }
    }
}
