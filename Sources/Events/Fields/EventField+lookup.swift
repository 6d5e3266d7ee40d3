extension EventField {
    /// The field with this key. It mostly takes one table probe, because the decoder does this for every member of
    /// every event.
    init?(key: UnsafeBufferPointer<UInt8>) {
        var slot = Self.slot(of: key)
        while Self.slots[slot] != Self.emptySlot {
            let field = Self.slots[slot]
            if Self.keys[Int(field)].elementsEqual(key) {
                self.init(rawValue: field)
                return
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }

    /// The field with this key.
    package init?(key: String) {
        var key = key
        guard let field = key.withUTF8({ EventField(key: $0) }) else { return nil }
        self = field
    }

    private static let keys = allCases.map { Array($0.key.utf8) }
    private static let emptySlot: UInt8 = 0xFF
    /// A power of two, at least twice the number of fields, so that a search always ends at an empty slot.
    private static let slotCount = 128
    private static let slots: [UInt8] = {
        var slots = [UInt8](repeating: emptySlot, count: slotCount)
        for field in allCases {
            var slot = keys[Int(field.rawValue)].withUnsafeBufferPointer(slot)
            while slots[slot] != emptySlot { slot = (slot + 1) & (slotCount - 1) }
            slots[slot] = field.rawValue
        }
        return slots
    }()

    /// Where the search for a key begins. The factors give nearly every key a slot of its own.
    private static func slot(of key: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = key.first, let last = key.last else { return 0 }
        let middle = key[key.count / 2]
        return (key.count &* 40 &+ Int(first) &* 35 &+ Int(last) &* 40 &+ Int(middle) &* 23) & (slotCount - 1)
    }
}
