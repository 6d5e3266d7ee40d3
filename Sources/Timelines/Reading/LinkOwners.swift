/// The owners of keys by changed links, in a third of the memory of ``ChangedLinks``. That is enough to find the few
/// keys whose events are packed under another person. Most links are stored together with their keys' events, which are
/// packed under the right person already.
///
/// It knows only the keyed half of each hash (``PersonHash``), which no sender can choose. If two keys share this half,
/// a key that has not moved may be reported as moved, which does no harm.
struct LinkOwners {
    /// The keyed halves of two hashes.
    typealias Owner = (key: UInt64, person: UInt64)

    /// How many owners to read at once: 32 MB.
    static let defaultLimit = 2 << 20

    /// Ordered by key.
    private var owners: [Owner] = []
    /// How many low bits of a key `starts` ignores.
    private var shift: UInt64 = 64
    /// How many owners come before those whose keys start with each number. One more element marks the end.
    private var starts: [UInt32] = []

    /// - Parameter owners: in any order. A key may come twice.
    init(_ owners: consuming [Owner]) {
        owners.sort { $0.key < $1.key }
        self.owners = owners
        var count = 64
        while count * 4 < self.owners.count { count *= 2 }
        shift = UInt64(64 - count.trailingZeroBitCount)
        starts.reserveCapacity(count + 1)
        for (position, owner) in self.owners.enumerated() {
            while starts.count <= Int(owner.key >> shift) { starts.append(UInt32(position)) }
        }
        while starts.count <= count { starts.append(UInt32(self.owners.count)) }
    }

    /// Whether the events of a key that are packed under this person belong to another one now.
    func haveMoved(_ key: PersonHash, from person: PersonHash) -> Bool {
        let number = Int(key.low >> shift)
        for position in Int(starts[number])..<Int(starts[number + 1])
        where owners[position].key == key.low && owners[position].person != person.low {
            return true
        }
        return false
    }
}
