import Timelines

/// A group of events, by a number whose meaning the grouping defines: a channel's position, a ref's code, a day. Two
/// numbers if events are grouped by two properties.
struct GroupKey: Hashable {
    /// Nil for events without the property.
    var number: Int?
    /// The number of the second property; nil also if there is no second property.
    var second: Int?

    init(number: Int?) {
        self.number = number
    }

    init(code: Code) {
        number = code.isNone ? nil : code.index
    }

    init(_ first: GroupKey, _ second: GroupKey) {
        number = first.number
        self.second = second.number
    }

    var isNone: Bool { number == nil }
}
