/// The keys whose person is another than when they were packed, and the people whose timelines are not all in one place
/// for that reason.
struct ChangedLinks: Sendable {
    private var people: [PersonHash: PersonHash] = [:]
    private var receivers: Set<PersonHash> = []
    /// One bit for each hash in either, and at least 16 bits a hash, so that most people are told from them without a look-up.
    /// In the order of hashes, in which segments have them, so that the bits asked for lie together.
    private var filter: [UInt64] = []
    /// How many bits of a hash do not count; 64 where there is no filter.
    private var shift: UInt64 = 64

    var isEmpty: Bool { people.isEmpty }
    var count: Int { people.count }

    init(_ changes: [(key: PersonHash, person: PersonHash)] = []) {
        guard !changes.isEmpty else { return }
        var words = 64
        while words * 2 < changes.count { words *= 2 }
        filter = Array(repeating: 0, count: words)
        shift = UInt64(64 - (words * 64).trailingZeroBitCount)
        people.reserveCapacity(changes.count)
        for change in changes {
            people[change.key] = change.person
            receivers.insert(change.person)
            mark(change.key)
            mark(change.person)
        }
    }

    /// Leaves out those who may have received events, and have not.
    mutating func narrowReceivers(to people: Set<PersonHash>) {
        receivers.formIntersection(people)
    }

    private mutating func mark(_ hash: PersonHash) {
        let bit = hash.high >> shift
        filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }

    @inline(__always)
    private func mayHold(_ hash: PersonHash) -> Bool {
        guard shift < 64 else { return false }
        let bit = hash.high >> shift
        return filter[Int(bit >> 6)] & 1 << (bit & 63) != 0
    }

    /// Whom a key's events belong to now, nil where that has not changed.
    @inline(__always)
    func person(of key: PersonHash) -> PersonHash? {
        mayHold(key) ? people[key] : nil
    }

    /// Whether events may have come to a person that are packed elsewhere.
    @inline(__always)
    func hasReceived(_ person: PersonHash) -> Bool {
        mayHold(person) && receivers.contains(person)
    }
}
