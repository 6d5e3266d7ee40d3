import Events
import Time
package import Postgres

/// Finds the person that a key belongs to, with all the person's keys: in the database and in the spools of this
/// machine.
struct PersonSearch {
    let app: App
    /// The links that events give that still wait in spools.
    let spooled: PersonClaims

    func person(of key: PersonKey, on connection: isolated PostgresConnection) throws -> Person {
        let root = try root(of: key, on: connection)
        var keys: Set<PersonKey> = [root]
        if root.kind == .user { keys.formUnion(try devices(of: root, on: connection)) }
        if root.kind != .click { keys.formUnion(try clicks(of: keys, on: connection)) }
        return Person(app: app, root: root, keys: keys)
    }

    private func root(of key: PersonKey, on connection: isolated PostgresConnection) throws -> PersonKey {
        let claims: PersonClaims
        switch key.kind {
        case .user: return key
        case .device: claims = try storedDevices(user: nil, devices: [key.id], on: connection)
        case .click: claims = try storedClicks(owners: [], clicks: [key.id], on: connection)
        }
        guard let owner = claims[key]?.owner else { return key }
        return try root(of: owner, on: connection)
    }

    private func devices(of user: PersonKey, on connection: isolated PostgresConnection) throws -> [PersonKey] {
        let candidates = spooled.keys(of: [user]).filter { $0.kind == .device }.map(\.id)
        return try storedDevices(user: user.id, devices: candidates, on: connection).keys(of: [user])
    }

    private func clicks(of owners: Set<PersonKey>, on connection: isolated PostgresConnection) throws -> [PersonKey] {
        let candidates = spooled.keys(of: owners).filter { $0.kind == .click }.map(\.id)
        return try storedClicks(owners: owners, clicks: candidates, on: connection).keys(of: owners)
    }

    /// - Returns: the links as they will be when the spools are delivered.
    private func storedDevices(
        user: String?,
        devices: [String],
        on connection: isolated PostgresConnection
    ) throws -> PersonClaims {
        let rows = try connection.query(
            StoredSQL.selectPersonDevices,
            [.int(Int64(app.number)), PostgresValue(user), .textArray(devices)]
        )
        var claims = PersonClaims()
        for id in devices { addSpooled(PersonKey(.device, id), to: &claims) }
        for row in rows {
            let key = PersonKey(.device, try row.text(0))
            let claim = PersonClaim(
                owner: PersonKey(.user, try row.text(1)),
                occurredAt: Timestamp(microseconds: try row.timestamp(2)),
                eventID: try row.eventID(3)
            )
            claims.add(claim, of: key)
            addSpooled(key, to: &claims)
        }
        return claims
    }

    private func storedClicks(
        owners: Set<PersonKey>,
        clicks: [String],
        on connection: isolated PostgresConnection
    ) throws -> PersonClaims {
        let rows = try connection.query(
            StoredSQL.selectPersonClicks,
            [
                .int(Int64(app.number)), .textArray(owners.filter { $0.kind == .user }.map(\.id)),
                .textArray(owners.filter { $0.kind == .device }.map(\.id)), .textArray(clicks),
            ]
        )
        var claims = PersonClaims()
        for id in clicks { addSpooled(PersonKey(.click, id), to: &claims) }
        for row in rows {
            let key = PersonKey(.click, try row.text(0))
            let keys = EventKeys(userID: try row.optionalText(1), deviceID: try row.optionalText(2))
            guard let owner = keys.owner else { continue }
            let claim = PersonClaim(
                owner: owner,
                precedence: Int32(truncatingIfNeeded: try row.int64(3)),
                occurredAt: Timestamp(microseconds: try row.timestamp(4)),
                eventID: try row.eventID(5)
            )
            claims.add(claim, of: key)
            addSpooled(key, to: &claims)
        }
        return claims
    }

    private func addSpooled(_ key: PersonKey, to claims: inout PersonClaims) {
        if let claim = spooled[key] { claims.add(claim, of: key) }
    }
}

extension PostgresRow {
    func eventID(_ column: Int) throws -> EventID {
        let id = try uuid(column)
        return EventID(high: id.high, low: id.low)
    }
}

extension Person {
    /// The person that a key belongs to, with all its keys, by the events that are stored in the database.
    package static func stored(
        with key: PersonKey,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> Person {
        try PersonSearch(app: app, spooled: PersonClaims()).person(of: key, on: connection)
    }
}
