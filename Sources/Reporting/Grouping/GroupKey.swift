import Timelines

/// A group of events, by a number whose meaning the grouping defines: a channel's position, a ref's code, a day. Two
/// numbers if events are grouped by two properties.
///
/// Takes 8 bytes, because a report may have millions of groups.
struct GroupKey: Hashable {
    private static let none = Int32.min

    private let first: Int32
    private let other: Int32

    private init(first: Int32, other: Int32) {
        self.first = first
        self.other = other
    }

    /// - Parameter number: a code, a position or a day; nil for events without the property.
    init(number: Int?) {
        self.init(first: number.map(Int32.init) ?? Self.none, other: Self.none)
    }

    init(code: Code) {
        self.init(number: code.isNone ? nil : code.index)
    }

    init(_ first: GroupKey, _ second: GroupKey) {
        self.init(first: first.first, other: second.first)
    }

    /// Nil for events without the property.
    var number: Int? { first == Self.none ? nil : Int(first) }
    /// The number of the second property; nil also if there is no second property.
    var second: Int? { other == Self.none ? nil : Int(other) }
    var isNone: Bool { first == Self.none }

    /// One of `count` places, a power of two, which is another one for most keys.
    func place(of count: Int) -> Int {
        let mixed = UInt32(bitPattern: first &* 31 &+ other) &* 0x9E37_79B1
        return Int(mixed >> 16) & (count - 1)
    }
    /// The text that it is; none for events without the property.
    var code: Code { isNone ? .none : Code(rawValue: first) }
}
