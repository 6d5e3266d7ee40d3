/// The keys that belong to another person than when their events were packed, and the people who receive these events.
struct ChangedLinks: Sendable {
    /// A key, and the person it belongs to now.
    typealias Change = (key: PersonHash, person: PersonHash)

    /// Ordered by key, each key once. A sorted array takes less memory than a dictionary: an app may have hundreds of
    /// thousands of changed links.
    private var changes: [Change] = []
    /// The people in `changes`, in order, each once.
    private var receivers: [PersonHash] = []
    /// A bit for each hash of either list, with at least 16 bits a hash, so that most people need no look-up. Bits are
    /// in the order of hashes, like segments, so that neighbouring questions read neighbouring bits.
    private var filter: [UInt64] = []
    /// How many low bits of a hash the filter ignores; 64 if there is no filter.
    private var shift: UInt64 = 64
    /// How many keys, and how many receivers, come before those of each word of the filter. One more element marks the
    /// end.
    private var keyStarts: [UInt32] = []
    private var receiverStarts: [UInt32] = []

    var isEmpty: Bool { changes.isEmpty }

    /// - Parameter changes: in any order. A key may come twice, with the same person.
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

    /// Sets the filter's bits of hashes, which come in order.
    ///
    /// - Returns: how many hashes come before those of each word of the filter.
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

    /// The word of the filter in which a hash's bit is set, nil if the bit is not set.
    @inline(__always)
    private func word(of hash: PersonHash) -> Int? {
        guard shift < 64 else { return nil }
        let bit = hash.high >> shift
        let word = Int(bit >> 6)
        return filter[word] & 1 << (bit & 63) != 0 ? word : nil
    }

    /// The person that a key's events belong to now, nil if that has not changed.
    @inline(__always)
    func person(of key: PersonHash) -> PersonHash? {
        guard let word = word(of: key) else { return nil }
        let position = Self.place(of: key, from: keyStarts[word], to: keyStarts[word + 1]) { changes[$0].key }
        return position.map { changes[$0].person }
    }

    /// Whether a person may have received events that are packed under another one.
    @inline(__always)
    func hasReceived(_ person: PersonHash) -> Bool {
        guard let word = word(of: person) else { return false }
        return Self.place(of: person, from: receiverStarts[word], to: receiverStarts[word + 1]) { receivers[$0] } != nil
    }

    /// A binary search. Mostly there are two or three elements, but a sender that chooses ids can make many hashes
    /// start with the same bits.
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
    /// Leaves one of each run of equal elements.
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
