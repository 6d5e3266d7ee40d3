import InboundLinks
import Timelines

/// Touches of one row: how many, by how many people.
struct TouchCounts: Equatable {
    private(set) var touches: Int64 = 0
    private(set) var people: Int64 = 0
    private(set) var authenticated: Int64 = 0
    /// The number of the person counted last, so that a person counts once.
    private var lastPerson = -1

    /// - Parameter person: a number of its own for each person; nil for a touch that belongs to nobody.
    mutating func add(_ touch: TimelineTouch, of person: Int?) {
        touches += 1
        if touch.isAuthenticated { authenticated += 1 }
        if let person, person != lastPerson {
            people += 1
            lastPerson = person
        }
    }

    static func += (counts: inout TouchCounts, other: TouchCounts) {
        counts.touches += other.touches
        counts.people += other.people
        counts.authenticated += other.authenticated
    }

    var cells: [ReportCell] { [.integer(touches), .integer(people), .integer(authenticated)] }
}
