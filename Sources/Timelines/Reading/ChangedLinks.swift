/// The keys whose person is another than when they were packed, and the people whose timelines are not all in one place
/// for that reason.
struct ChangedLinks: Sendable {
    /// A key, and whose it is now.
    typealias Change = (key: PersonHash, person: PersonHash)

    /// By key, each once. In order and not in a dictionary: an app's links may be hundreds of thousands, read while little
    /// memory is to be taken.
    private var changes: [Change] = []
    /// In order, each once.
    private var receivers: [PersonHash] = []
    /// One bit for each hash in either, and at least 16 bits a hash, so that most people are told from them without a look-up.
    /// In the order of hashes, in which segments have them, so that the bits asked for lie together.
    private var filter: [UInt64] = []
    /// How many bits of a hash do not count for the filter; 64 where there is none.
    private var shift: UInt64 = 64
    /// How many keys, and how many receivers, come before those of each word of the filter; one more for the end.
    private var keyStarts: [UInt32] = []
    private var receiverStarts: [UInt32] = []

    var isEmpty: Bool { changes.isEmpty }

    /// - Parameter changes: in any order; a key may be there twice, with the same person.
    init(_ changes: consuming [Change] = []) {
        guard !changes.isEmpty else { return }
        changes.sort { $0.key < $1.key }
        changes.removeRepeated { $0.key == $1.key }
        self.changes = changes
        receivers = self.changes.map(\.person)
        receivers.sort { $0 < $1 }
        receivers.removeRepeated { $0 == $1 }

        var words = 64
        while words * 2 < self.changes.count { words *= 2 }
        filter = Array(repeating: 0, count: words)
        shift = UInt64(64 - (words * 64).trailingZeroBitCount)
        keyStarts = mark(self.changes.lazy.map(\.key))
        receiverStarts = mark(receivers.lazy.map { $0 })
    }

    /// Marks hashes, which come in order, in the filter. - Returns: how many come before those of each word.
    private mutating func mark(_ hashes: some Collection<PersonHash>) -> [UInt32] {
        var starts: [UInt32] = []
        starts.reserveCapacity(filter.count + 1)
        for (position, hash) in hashes.enumerated() {
            let bit = hash.high >> shift
            let word = Int(bit >> 6)
            while starts.count <= word { starts.append(UInt32(position)) }
            filter[word] |= 1 << (bit & 63)
        }
        while starts.count <= filter.count { starts.append(UInt32(hashes.count)) }
        return starts
    }

    /// The word of the filter where a hash stands, nil where it stands in none.
    @inline(__always)
    private func word(of hash: PersonHash) -> Int? {
        guard shift < 64 else { return nil }
        let bit = hash.high >> shift
        let word = Int(bit >> 6)
        return filter[word] & 1 << (bit & 63) != 0 ? word : nil
    }

    /// Whom a key's events belong to now, nil where that has not changed.
    @inline(__always)
    func person(of key: PersonHash) -> PersonHash? {
        guard let word = word(of: key) else { return nil }
        let position = Self.place(of: key, from: keyStarts[word], to: keyStarts[word + 1]) { changes[$0].key }
        return position.map { changes[$0].person }
    }

    /// Whether events may have come to a person that are packed elsewhere.
    @inline(__always)
    func hasReceived(_ person: PersonHash) -> Bool {
        guard let word = word(of: person) else { return false }
        return Self.place(of: person, from: receiverStarts[word], to: receiverStarts[word + 1]) { receivers[$0] } != nil
    }

    /// By halves: mostly there are two or three, but whoever chooses ids can make many hashes begin alike.
    @inline(__always)
    private static func place(
        of hash: PersonHash,
        from start: UInt32,
        to end: UInt32,
        _ hashAt: (Int) -> PersonHash
    ) -> Int? {
        var (low, high) = (Int(start), Int(end))
        while low < high {
            let middle = (low + high) / 2
            if hashAt(middle) < hash { low = middle + 1 } else { high = middle }
        }
        return low < Int(end) && hashAt(low) == hash ? low : nil
    }
}

extension Array {
    /// Leaves one of those that follow each other and are alike.
    fileprivate mutating func removeRepeated(_ areAlike: (Element, Element) -> Bool) {
        guard !isEmpty else { return }
        var last = 0
        for position in indices.dropFirst() where !areAlike(self[last], self[position]) {
            last += 1
            self[last] = self[position]
        }
        removeLast(count - last - 1)
    }
}
