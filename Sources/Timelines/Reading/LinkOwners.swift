/// Whose keys are by changed links, in a third of what ``ChangedLinks`` takes: enough to find the few whose events are packed
/// under somebody else. Most links come together with their keys' events, which lie under their person already.
///
/// It knows one half of each hash, the keyed one (``PersonHash``), which nobody can choose. Where two keys share it, one may be
/// named that has not moved; that does no harm.
struct LinkOwners {
    /// Halves of hashes.
    typealias Owner = (key: UInt64, person: UInt64)

    /// By key.
    private var owners: [Owner] = []
    /// How many bits of a key do not count for `starts`.
    private var shift: UInt64 = 64
    /// How many owners come before those whose keys begin with each number; one more for the end.
    private var starts: [UInt32] = []

    /// - Parameter owners: in any order; a key may be there twice.
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

    /// Whether the events of a key, packed under this person, belong to another one now.
    func haveMoved(_ key: PersonHash, from person: PersonHash) -> Bool {
        let number = Int(key.low >> shift)
        for position in Int(starts[number])..<Int(starts[number + 1])
        where owners[position].key == key.low && owners[position].person != person.low {
            return true
        }
        return false
    }
}
