import Events
import Time

/// What an event says of a device or a click: whom it stands for. The earliest event counts.
struct PersonClaim: Equatable, Sendable {
    var owner: PersonKey
    var occurredAt: Timestamp
    var eventID: EventID

    func isEarlier(than other: PersonClaim) -> Bool {
        occurredAt == other.occurredAt ? eventID < other.eventID : occurredAt < other.occurredAt
    }
}

/// Whom devices and clicks stand for, as far as some set of events tells.
struct PersonClaims: Sendable {
    private(set) var claims: [PersonKey: PersonClaim] = [:]

    var isEmpty: Bool { claims.isEmpty }

    subscript(key: PersonKey) -> PersonClaim? { claims[key] }

    mutating func add(_ claim: PersonClaim, of key: PersonKey) {
        if let known = claims[key], !claim.isEarlier(than: known) { return }
        claims[key] = claim
    }

    mutating func add(_ keys: EventKeys, occurredAt: Timestamp, eventID: EventID) {
        for said in [keys.deviceClaim, keys.clickClaim] {
            guard let said else { continue }
            add(PersonClaim(owner: said.owner, occurredAt: occurredAt, eventID: eventID), of: said.key)
        }
    }

    mutating func add(_ event: Event) {
        add(EventKeys(event), occurredAt: event.occurredAt, eventID: event.id)
    }

    /// Those that are claimed for one of these owners.
    func keys(of owners: Set<PersonKey>) -> [PersonKey] {
        claims.filter { owners.contains($1.owner) }.map(\.key)
    }
}
