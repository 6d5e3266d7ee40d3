/// What stands before the events of one key.
struct RunHeader {
    var rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(count: Int, isAnonymous: Bool, continues: Bool, isLinked: Bool) {
        rawValue = UInt32(count) << 3 | (isAnonymous ? 4 : 0) | (continues ? 2 : 0) | (isLinked ? 1 : 0)
    }

    var count: Int { Int(rawValue >> 3) }
    /// Events that belong to nobody, each for itself.
    var isAnonymous: Bool { rawValue & 4 != 0 }
    /// The same person's as the strand before.
    var continues: Bool { rawValue & 2 != 0 }
    /// The key is not the person itself.
    var isLinked: Bool { rawValue & 1 != 0 }
}
