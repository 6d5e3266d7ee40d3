import Events
import Time

/// A link that an event gives a device or a click. If several events give one, the earliest event's counts, for a click
/// the earliest install's before all others: whoever opens a link that was passed on takes no click from its visitor.
struct PersonClaim: Equatable, Sendable {
    var owner: PersonKey
    var precedence: Int32 = 0
    var occurredAt: Timestamp
    var eventID: EventID

    /// The precedence of a click's link: smaller wins. SQL says `(type <> 'install')::integer`.
    static func precedence(ofClickIn type: EventType?) -> Int32 { type == .install ? 0 : 1 }

    func outranks(_ other: PersonClaim) -> Bool {
        (precedence, occurredAt, eventID) < (other.precedence, other.occurredAt, other.eventID)
    }
}

/// The links that a set of events gives devices and clicks.
struct PersonClaims: Sendable {
    private(set) var claims: [PersonKey: PersonClaim] = [:]

    var isEmpty: Bool { claims.isEmpty }

    subscript(key: PersonKey) -> PersonClaim? { claims[key] }

    mutating func add(_ claim: PersonClaim, of key: PersonKey) {
        if let known = claims[key], !claim.outranks(known) { return }
        claims[key] = claim
    }

    /// - Parameter wanted: the devices and clicks whose links count; nil: all.
    mutating func add(
        _ keys: EventKeys,
        of type: EventType?,
        occurredAt: Timestamp,
        eventID: EventID,
        ofOnly wanted: Set<PersonKey>? = nil
    ) {
        for (said, precedence) in [
            (keys.deviceClaim, 0), (keys.clickClaim, PersonClaim.precedence(ofClickIn: type)),
        ] {
            guard let said, wanted?.contains(said.key) ?? true else { continue }
            let claim = PersonClaim(
                owner: said.owner,
                precedence: precedence,
                occurredAt: occurredAt,
                eventID: eventID
            )
            add(claim, of: said.key)
        }
    }

    mutating func add(_ event: Event) {
        add(EventKeys(event), of: event.type, occurredAt: event.occurredAt, eventID: event.id)
    }

    /// The devices and clicks that are linked to one of these owners.
    func keys(of owners: Set<PersonKey>) -> [PersonKey] {
        claims.filter { owners.contains($1.owner) }.map(\.key)
    }
}
