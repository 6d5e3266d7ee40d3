package import Time

/// A summary of what is stored of a person.
package struct PersonSummary: Equatable, Sendable {
    package var person: Person
    /// In time order, with test traffic.
    package var events: [PersonEvent] = []
    /// Dead letters, in the database and in spools.
    package var rejectedEvents = 0
    /// Events that wait in spools for their delivery to the database.
    package var spooledEvents = 0

    init(person: Person) {
        self.person = person
    }

    package var isEmpty: Bool { events.isEmpty && rejectedEvents == 0 && spooledEvents == 0 }

    package func count(_ type: String) -> Int { events.count { $0.type == type } }

    package var firstEventAt: Timestamp? { events.first?.occurredAt }
    package var lastEventAt: Timestamp? { events.last?.occurredAt }

    mutating func finish() {
        events.sort { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
    }
}
