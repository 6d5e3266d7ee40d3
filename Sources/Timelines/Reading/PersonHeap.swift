/// The next person of each segment, as a binary heap. Reading many segments side by side then compares only few of them
/// for each person.
struct PersonHeap {
    private var heads: [(person: PersonHash, reader: Int)] = []

    /// - Parameter readers: none may be at a run of anonymous events.
    init(of readers: [SegmentReader]) {
        // A key path would copy each reader.
        self.init(readers.indices.map { readers[$0].nextPerson })
    }

    /// - Parameter people: the next person of each reader; `.end` for a reader at its end.
    init(_ people: [PersonHash]) {
        heads = people.enumerated().filter { $1 != .end }.map { (person: $1, reader: $0) }
        for position in (0..<heads.count / 2).reversed() { sink(from: position) }
    }

    /// The first person, and a reader that has reached this person; nil if all readers are at their ends.
    var first: (person: PersonHash, reader: Int)? {
        @inline(__always) get { heads.first }
    }

    /// Records the next person of the reader of `first`.
    ///
    /// - Parameter person: comes after the person before, or is `.end`.
    @inline(__always)
    mutating func advanceFirst(to person: PersonHash) {
        if person == .end {
            heads.swapAt(0, heads.count - 1)
            heads.removeLast()
        } else {
            heads[0].person = person
        }
        sink(from: 0)
    }

    @inline(__always)
    private mutating func sink(from start: Int) {
        guard start < heads.count else { return }
        let head = heads[start]
        var position = start
        while true {
            var child = position * 2 + 1
            guard child < heads.count else { break }
            if child + 1 < heads.count, heads[child + 1].person < heads[child].person { child += 1 }
            guard heads[child].person < head.person else { break }
            heads[position] = heads[child]
            position = child
        }
        heads[position] = head
    }
}
