import InboundLinks
import Timelines

/// The touches of one row: how many, and of how many people.
struct TouchCounts: Equatable {
    private(set) var touches: Int64 = 0
    private(set) var people: Int64 = 0
    private(set) var authenticated: Int64 = 0
    /// The number of the last counted person, so that each person counts once.
    private var lastPerson = -1

    /// - Parameter person: a number that only this person has; nil for an anonymous touch.
    /// - Returns: whether the person was not counted yet.
    @discardableResult
    mutating func add(_ touch: TimelineTouch, of person: Int?) -> Bool {
        touches += 1
        if touch.isAuthenticated { authenticated += 1 }
        guard let person, person != lastPerson else { return false }
        people += 1
        lastPerson = person
        return true
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
