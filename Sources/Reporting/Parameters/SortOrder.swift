/// The column that orders rows, in its usual order or in the opposite one: `touches` or `touches:reverse`.
package struct SortOrder: Equatable, Sendable {
    private static let suffix = ":reverse"

    package let column: String
    package let isReversed: Bool

    package init(_ text: String) {
        isReversed = text.hasSuffix(Self.suffix)
        column = isReversed ? String(text.dropLast(Self.suffix.count)) : text
    }

    package init(_ column: String, isReversed: Bool) {
        (self.column, self.isReversed) = (column, isReversed)
    }

    package var text: String { isReversed ? column + Self.suffix : column }
}
