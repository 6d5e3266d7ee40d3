/// The header of a run: the events of one key of one person, or anonymous events.
struct RunHeader {
    var rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(count: Int, isAnonymous: Bool, continues: Bool, isLinked: Bool) {
        rawValue = UInt32(count) << 3 | (isAnonymous ? 4 : 0) | (continues ? 2 : 0) | (isLinked ? 1 : 0)
    }

    var count: Int { Int(rawValue >> 3) }
    /// The events are anonymous: each stands alone.
    var isAnonymous: Bool { rawValue & 4 != 0 }
    /// The person is that of the run before.
    var continues: Bool { rawValue & 2 != 0 }
    /// The key differs from the person.
    var isLinked: Bool { rawValue & 1 != 0 }
}
