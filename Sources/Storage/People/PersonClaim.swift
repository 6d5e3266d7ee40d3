import Events
import Time

/// A link that an event gives a device or a click. If several events give one, the earliest event's counts.
struct PersonClaim: Equatable, Sendable {
    var owner: PersonKey
    var occurredAt: Timestamp
    var eventID: EventID

    func isEarlier(than other: PersonClaim) -> Bool {
        occurredAt == other.occurredAt ? eventID < other.eventID : occurredAt < other.occurredAt
    }
}

/// The links that a set of events gives devices and clicks.
struct PersonClaims: Sendable {
    private(set) var claims: [PersonKey: PersonClaim] = [:]

    var isEmpty: Bool { claims.isEmpty }

    subscript(key: PersonKey) -> PersonClaim? { claims[key] }

    mutating func add(_ claim: PersonClaim, of key: PersonKey) {
        if let known = claims[key], !claim.isEarlier(than: known) { return }
        claims[key] = claim
    }

    /// - Parameter wanted: the devices and clicks whose links count; nil: all.
    mutating func add(
        _ keys: EventKeys,
        occurredAt: Timestamp,
        eventID: EventID,
        ofOnly wanted: Set<PersonKey>? = nil
    ) {
        for said in [keys.deviceClaim, keys.clickClaim] {
            guard let said, wanted?.contains(said.key) ?? true else { continue }
            add(PersonClaim(owner: said.owner, occurredAt: occurredAt, eventID: eventID), of: said.key)
        }
    }

    mutating func add(_ event: Event) {
        add(EventKeys(event), occurredAt: event.occurredAt, eventID: event.id)
    }

    /// The devices and clicks that are linked to one of these owners.
    func keys(of owners: Set<PersonKey>) -> [PersonKey] {
        claims.filter { owners.contains($1.owner) }.map(\.key)
    }
}
