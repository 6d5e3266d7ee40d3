import InboundLinks
import Timelines

/// The touches of one row: how many, and of how many people.
struct TouchCounts: Equatable {
    // A breakdown by post has such counts for a million groups, so they have 4 bytes each: a database with more touches
    // than that takes terabytes.
    private var touchCount: UInt32 = 0
    private var personCount: UInt32 = 0
    private var authenticatedCount: UInt32 = 0
    /// The number of the last counted person, so that each person counts once.
    private var lastPerson = UInt32.max

    var touches: Int64 { Int64(touchCount) }
    var people: Int64 { Int64(personCount) }
    var authenticated: Int64 { Int64(authenticatedCount) }

    /// - Parameter person: a number that only this person has; nil for an anonymous touch.
    /// - Returns: whether the person was not counted yet.
    @discardableResult
    mutating func add(_ touch: TimelineTouch, of person: Int?) -> Bool {
        add(isAuthenticated: touch.isAuthenticated, of: person)
    }

    /// The same for a touch of which only that is known.
    @discardableResult
    mutating func add(isAuthenticated: Bool, of person: Int?) -> Bool {
        touchCount += 1
        if isAuthenticated { authenticatedCount += 1 }
        guard let person, UInt32(person) != lastPerson else { return false }
        personCount += 1
        lastPerson = UInt32(person)
        return true
    }

    /// Whether a person has one of these touches, while the person is the one that is counted.
    func hasTouch(of person: Int?) -> Bool { person.map { UInt32($0) == lastPerson } ?? false }

    /// Sets the number of people of rows that have been added up, in which somebody may have counted twice.
    mutating func replacePeople(with count: Int64) {
        personCount = UInt32(count)
    }

    static func += (counts: inout TouchCounts, other: TouchCounts) {
        counts.touchCount += other.touchCount
        counts.personCount += other.personCount
        counts.authenticatedCount += other.authenticatedCount
    }

    var cells: [ReportCell] { [.integer(touches), .integer(people), .integer(authenticated)] }
}
