import Events
import JSONReading
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
        // As events have an id, and as dead letters do, in which the event is a text.
        let spellings = person.keys.flatMap { key in
            let quoted = JSONWriter.quoted(key.id)
            return [Array(quoted.utf8), Array(JSONWriter.quoted(quoted).utf8.dropFirst().dropLast())]
        }
        return try spools.erase { submission in
            guard submission.appNumber == person.app.number, submission.receivedAt < time else { return }
            submission.events.removeAll { ownership.owns(EventKeys($0)) }
            submission.rejections.removeAll { ownership.owns(rejected: $0.redactedEvent) }
        } isDoomed: { payload in
            spellings.contains { payload.firstRange(of: $0) != nil }
        }
    }
}
