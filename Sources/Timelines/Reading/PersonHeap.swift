/// The people that segments come to next: a binary heap, so that going through many segments side by side asks few of them
/// for each person.
struct PersonHeap {
    private var heads: [(person: PersonHash, reader: Int)] = []

    /// - Parameter readers: none at a strand of nobody's.
    init(of readers: [SegmentReader]) {
        self.init(readers.map(\.nextPerson))
    }

    /// - Parameter people: by reader; `.end` for one that is at its end.
    init(_ people: [PersonHash]) {
        heads = people.enumerated().filter { $1 != .end }.map { (person: $1, reader: $0) }
        for position in (0..<heads.count / 2).reversed() { sink(from: position) }
    }

    /// The first person, and a reader that is there; nil where all are at their ends.
    var first: (person: PersonHash, reader: Int)? {
        @inline(__always) get { heads.first }
    }

    /// Says whom the reader of `first` has come to instead.
    ///
    /// - Parameter person: after the one before, or `.end`.
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
