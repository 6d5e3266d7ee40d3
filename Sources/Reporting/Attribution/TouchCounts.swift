import InboundLinks
import Timelines

/// The touches of one row: how many, and of how many people.
struct TouchCounts: Equatable {
    private(set) var touches: Int64
    private(set) var people: Int64
    private(set) var authenticated: Int64
    /// The number of the last counted person, so that each person counts once.
    private var lastPerson = -1

    init(touches: Int64 = 0, people: Int64 = 0, authenticated: Int64 = 0) {
        self.touches = touches
        self.people = people
        self.authenticated = authenticated
    }

    /// - Parameter person: a number that only this person has; nil for an anonymous touch.
    mutating func add(_ touch: TimelineTouch, of person: Int?) {
        touches += 1
        if touch.isAuthenticated { authenticated += 1 }
        if let person, person != lastPerson {
            people += 1
            lastPerson = person
        }
    }

    /// Sets the number of people of rows that have been added up, in which somebody may have counted twice.
    mutating func replacePeople(with count: Int64) {
        people = count
    }

    static func += (counts: inout TouchCounts, other: TouchCounts) {
        counts.touches += other.touches
        counts.people += other.people
        counts.authenticated += other.authenticated
    }

    var cells: [ReportCell] { [.integer(touches), .integer(people), .integer(authenticated)] }
}
