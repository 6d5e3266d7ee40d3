import Timelines

/// How many people several groups have together: somebody in more than one counts once. Nothing is kept of people who
/// are in one group alone.
struct GroupPeople {
    /// By the position of a group: how many people are in no other one.
    private var solo: [UInt32] = []
    /// The groups of each person who is in several, one person after the other, each followed by −1.
    private var several: [Int32] = []
    /// The person who was put into groups last, and these.
    private var person = -1
    private var own: [Int32] = []

    /// In bytes.
    var size: Int { solo.heldSize + several.heldSize }

    /// Puts a person into a group. Call it once for each group, and for one person after the other.
    mutating func add(_ person: Int, to group: Int) {
        if person != self.person { endPerson() }
        self.person = person
        own.append(Int32(group))
    }

    private mutating func endPerson() {
        if own.isEmpty { return }
        if own.count == 1 {
            addSolo(1, to: Int(own[0]))
        } else {
            several += own
            several.append(-1)
        }
        own.removeAll(keepingCapacity: true)
    }

    private mutating func addSolo(_ count: UInt32, to group: Int) {
        while solo.count <= group { solo.append(0) }
        solo[group] += count
    }

    /// Adds the people of another value, none of whom is in this one.
    ///
    /// - Parameter places: the position here of each group of the other value.
    mutating func merge(_ other: GroupPeople, at places: [Int32]) {
        endPerson()
        several.reserveCapacity(several.count + other.several.count)
        for (group, count) in other.solo.enumerated() { addSolo(count, to: Int(places[group])) }
        for group in other.several { several.append(group < 0 ? -1 : places[Int(group)]) }
        own = other.own.map { places[Int($0)] }
        endPerson()
    }

    /// The people of some groups.
    ///
    /// - Parameter areCounted: by the position of a group.
    func count(of areCounted: [Bool]) -> Int64 {
        var people: Int64 = own.contains { areCounted[Int($0)] } ? 1 : 0
        for (group, count) in solo.enumerated() where areCounted[group] { people += Int64(count) }
        var isAmong = false
        for group in several {
            if group < 0 {
                if isAmong { people += 1 }
                isAmong = false
            } else if !isAmong, areCounted[Int(group)] {
                isAmong = true
            }
        }
        return people
    }
}
