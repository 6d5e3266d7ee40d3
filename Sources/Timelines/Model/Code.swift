/// A text as the number that a run's dictionary gave it, so that events are fixed-width and texts compare as integers.
struct Code: Hashable, Sendable {
    /// Position in its table, from 0; negative where there is no text.
    var rawValue: Int32

    static let none = Code(rawValue: -1)

    var isNone: Bool { rawValue < 0 }

    /// Position in an array that has one element a code. Only for codes that are not `none`.
    var index: Int { Int(rawValue) }
}
