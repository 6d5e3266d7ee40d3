/// Statements that some servers need in other words. A session asks its server once whether it is such a server; then
/// it sends the variants in place of the originals.
package struct StatementVariants: Sendable {
    /// No server needs other words, and none is asked.
    package static let none = StatementVariants(isNeeded: [], texts: [:])

    /// Questions to the server, each with one boolean as its answer. The variants are used if all answers are true.
    /// After a false one the others are not asked, so a question may name what the one before has found.
    let isNeeded: [String]
    /// The variants by the originals.
    let texts: [String: String]

    package init(isNeeded: [String], texts: [String: String]) {
        self.isNeeded = isNeeded
        self.texts = texts
    }
}
