import Timelines

/// Groups by the position of their first appearance. Most keys are a small number, which is looked up without hashing.
struct GroupPositions {
    private static let directLimit = 1 << 20
    private(set) var keys: [GroupKey] = []
    /// Positions by number; −1 for none.
    private var direct: [Int32] = []
    private var others: [GroupKey: Int32] = [:]
    /// Positions of `others` that were asked for lately; empty if there are none. A person's touches have few pairs, so
    /// most are found here, without hashing.
    private var recent: [Int32] = []
    private static let recentCount = 64

    /// In bytes.
    var size: Int { keys.heldSize + direct.heldSize + others.heldSize + recent.heldSize }

    /// The position of a group; nil if it has not appeared.
    func known(_ key: GroupKey) -> Int? {
        guard let number = key.number, key.second == nil, number >= 0, number < Self.directLimit else {
            return others[key].map { Int($0) }
        }
        return number < direct.count && direct[number] >= 0 ? Int(direct[number]) : nil
    }

    /// Makes room for all groups of another value at once: growing beside both would take as much again.
    mutating func reserve(for other: GroupPositions) { keys.reserveCapacity(keys.count + other.keys.count) }

    /// The position of a group. `isNew` is true if this is its first appearance.
    mutating func position(of key: GroupKey) -> (position: Int, isNew: Bool) {
        if let number = key.number, key.second == nil, number >= 0, number < Self.directLimit {
            while direct.count <= number { direct.append(-1) }
            if direct[number] >= 0 { return (Int(direct[number]), false) }
            direct[number] = Int32(keys.count)
        } else {
            let place = key.place(of: Self.recentCount)
            if recent.isEmpty { recent = Array(repeating: -1, count: Self.recentCount) }
            let known = Int(recent[place])
            if known >= 0, keys[known] == key { return (known, false) }
            if let position = others[key] {
                recent[place] = position
                return (Int(position), false)
            }
            recent[place] = Int32(keys.count)
            others[key] = Int32(keys.count)
        }
        keys.append(key)
        return (keys.count - 1, true)
    }
}
