import Events
import Time

/// A person's events and dead letters that wait in the spools of this machine.
struct SpooledPerson {
    enum Finding {
        case event(Event)
        case rejection(Rejection)
    }

    private let person: Person
    private let ownership: PersonOwnership

    init(_ person: Person) {
        self.person = person
        ownership = PersonOwnership(person.keys)
    }

    /// The links that waiting events give devices and clicks.
    static func claims(of app: App, in spools: SpoolFolder) throws -> PersonClaims {
        var claims = PersonClaims()
        try spools.forEachSubmission { submission in
            guard submission.appNumber == app.number else { return }
            for event in submission.events { claims.add(event) }
        }
        return claims
    }

    func forEach(in spools: SpoolFolder, _ body: (Finding) throws -> Void) throws {
        try spools.forEachSubmission { submission in
            guard submission.appNumber == person.app.number else { return }
            for event in submission.events where ownership.owns(EventKeys(event)) { try body(.event(event)) }
            for rejection in submission.rejections where ownership.owns(rejected: rejection.redactedEvent) {
                try body(.rejection(rejection))
            }
        }
    }

    /// Removes the person's events and dead letters from the spools.
    ///
    /// - Parameter time: only what was received before this time goes.
    func erase(in spools: SpoolFolder, receivedBefore time: Timestamp) throws -> SpoolFolder.Erasure {
        try spools.erase { submission in
            guard submission.appNumber == person.app.number, submission.receivedAt < time else { return }
            submission.events.removeAll { ownership.owns(EventKeys($0)) }
            submission.rejections.removeAll { ownership.owns(rejected: $0.redactedEvent) }
        } isDoomed: { payload in
            person.keys.contains { Self.holds(payload, $0.id) }
        }
    }

    /// Whether a request that cannot be read holds an id: in the form of a stored event (its length before it), or of a
    /// dead letter (in quotation marks).
    private static func holds(_ payload: [UInt8], _ id: String) -> Bool {
        let id = Array(id.utf8)
        let length: [UInt8] =
            id.count < 0x80 ? [UInt8(id.count)] : [UInt8(id.count & 0x7F) | 0x80, UInt8(id.count >> 7)]
        let quoted = [UInt8(ascii: "\"")] + id + [UInt8(ascii: "\"")]
        return payload.firstRange(of: length + id) != nil || payload.firstRange(of: quoted) != nil
    }
}
