import Timelines

/// A group of events, by a number that means what the grouping says: a channel's position, a ref's code, a day; by two of
/// them where events are grouped by two properties.
struct GroupKey: Hashable {
    /// Nil for events that have none of what the grouping asks for.
    var number: Int?
    /// By the second property; nil also where there is no second.
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
