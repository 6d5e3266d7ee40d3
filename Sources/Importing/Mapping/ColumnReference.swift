/// A column as a mapping names it: by its name in the header, or by its number, from 1, in a file without a header.
struct ColumnReference: Hashable, Sendable, CustomStringConvertible {
    var name: String
    /// Where the mapping names it, for messages.
    var place: String

    var description: String { name }

    static func == (first: ColumnReference, second: ColumnReference) -> Bool { first.name == second.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
