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

extension PostgresConnection {
    /// Asks whether this session uses the variants of its options.
    func chooseVariants() throws(PostgresError) {
        for question in options.variants.isNeeded {
            let answer = try query(question)
            guard answer.count == 1, try answer[0].bool(0) else { return }
        }
        if !options.variants.isNeeded.isEmpty { variants = options.variants.texts }
    }

    /// Whether the server needs the variants of the options.
    package var usesVariants: Bool { !variants.isEmpty }

    /// The text that this session sends for a statement. Statements of `query` and `execute` need not ask; texts that
    /// are built from others do (``BoundStatement``).
    package func text(of statement: String) -> String {
        variants.isEmpty ? statement : variants[statement] ?? statement
    }
}
