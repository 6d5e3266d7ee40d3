import Time
import Timelines

/// What a breakdown keeps of people until it knows which groups are shown, if there may be a million groups: their
/// touches, and what these are credited with, in a temporary file. In memory each group has only its key.
struct BreakdownLog {
    /// What counts in a group.
    enum Entry {
        case touch(isAuthenticated: Bool)
        case credit(CreditedEvent, units: Int64)
    }

    private(set) var positions = GroupPositions()
    private let log: PeopleLog
    /// Those of merged values, with the position here of each of their groups.
    private var others: [(log: PeopleLog, places: [Int32])] = []
    /// The current person: 0 for an anonymous event, else 1, then the entries. An entry is four times the position of
    /// its group, plus 1 for a credit, plus 2 for what is authenticated or an install; a credit has its units and its
    /// value after it, in four numbers.
    private var words: [UInt32] = [0]

    init(_ file: TemporaryFile) { log = PeopleLog(file) }

    /// In bytes, with a half of the counts that the groups have at last: those of all connections have them once.
    var size: Int {
        others.reduce(positions.size + positions.keys.count * 16) { $0 + $1.places.heldSize }
    }

    mutating func add(_ touch: TimelineTouch, to key: GroupKey) {
        append(key, isCredit: false, touch.isAuthenticated)
    }

    mutating func add(_ event: CreditedEvent, units: Int64, to key: GroupKey) {
        append(key, isCredit: true, event.isInstall)
        append(UInt64(bitPattern: units))
        append(UInt64(bitPattern: event.value))
    }

    private mutating func append(_ key: GroupKey, isCredit: Bool, _ isMarked: Bool) {
        let group = UInt32(positions.position(of: key).position)
        words.append(group << 2 | (isMarked ? 2 : 0) | (isCredit ? 1 : 0))
    }

    private mutating func append(_ number: UInt64) {
        words.append(UInt32(truncatingIfNeeded: number))
        words.append(UInt32(truncatingIfNeeded: number >> 32))
    }

    mutating func endPerson(isPerson: Bool) {
        guard words.count > 1 else { return }
        words[0] = isPerson ? 1 : 0
        log.append(words)
        words.removeLast(words.count - 1)
    }

    /// Adds the people of another value, none of whom is in this one.
    mutating func merge(_ other: BreakdownLog) {
        positions.reserve(for: other.positions)
        let places = other.positions.keys.map { Int32(positions.position(of: $0).position) }
        others.append((other.log, places))
        for (log, own) in other.others { others.append((log, own.map { places[Int($0)] })) }
    }

    /// Hands out all entries, person by person, those of one in the order in which they were added.
    ///
    /// - Parameter body: gets a number that only this person has, nil for an anonymous event, and the group's position.
    /// - Throws: `TimelineError.lostTemporaryFile`.
    @inline(__always)
    func forEach(_ body: (Int?, Int, Entry) -> Void) throws(TimelineError) {
        var people = 0
        for (log, places) in [(log, [])] + others {
            try log.forEach { words in
                people += 1
                let person = words.first == 0 ? nil : people
                var next = words.startIndex + 1
                while next < words.endIndex {
                    let word = words[next]
                    let own = Int(word >> 2)
                    let group = places.isEmpty ? own : Int(places[own])
                    next += 1
                    guard word & 1 != 0 else {
                        body(person, group, .touch(isAuthenticated: word & 2 != 0))
                        continue
                    }
                    func number(_ place: Int) -> Int64 {
                        Int64(bitPattern: UInt64(words[place]) | UInt64(words[place + 1]) << 32)
                    }
                    let event = CreditedEvent(isInstall: word & 2 != 0, value: number(next + 2))
                    body(person, group, .credit(event, units: number(next)))
                    next += 4
                }
            }
        }
    }
}

extension CreditedEvent {
    /// An event of which only that is known, which rows count.
    fileprivate init(isInstall: Bool, value: Int64) {
        self.init(position: 0, time: Timestamp(microseconds: 0), isInstall: isInstall, value: value)
    }
}
