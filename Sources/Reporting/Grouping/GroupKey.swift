/// A group of events, by a number that means what the grouping says: a channel's position, a ref's code, a day.
struct GroupKey: Hashable {
    /// Nil for events that have none of what the grouping asks for.
    var number: Int?

    init(number: Int?) {
        self.number = number
    }

    init(code: Code) {
        number = code.isNone ? nil : code.index
    }

    var isNone: Bool { number == nil }
}
