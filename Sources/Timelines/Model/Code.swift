/// A text, as the number that the dictionary of the run gave it. So events have a fixed width, and texts are compared
/// as integers.
@usableFromInline
package struct Code: Hashable, Sendable {
    // Inlined into the folds, which compare and look up codes for each touch.

    /// Position in its table, from 0; negative if there is no text.
    @usableFromInline package var rawValue: Int32

    @inlinable
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    @inlinable package static var none: Code { Code(rawValue: -1) }

    @inlinable package var isNone: Bool { rawValue < 0 }

    /// Position in an array that has one element for each code. Only for codes that are not `none`.
    @inlinable package var index: Int { Int(rawValue) }

    @inlinable
    package static func == (first: Code, second: Code) -> Bool { first.rawValue == second.rawValue }
}
