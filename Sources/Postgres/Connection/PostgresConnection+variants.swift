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
