package import Time

/// What is kept of a person, in short.
package struct PersonSummary: Equatable, Sendable {
    package var person: Person
    /// In time order. Test traffic is among them.
    package var events: [PersonEvent] = []
    /// Dead letters, in the database and in spools.
    package var rejectedEvents = 0
    /// Answered for, and not delivered to the database yet.
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
