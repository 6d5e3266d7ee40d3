import Cryptography

/// The meaning of the columns of a CSV file: `tributary import --mapping` (docs/import.md, *CSV*).
package struct ImportMapping: Equatable, Sendable {
    var dialect = CSVDialect()
    var hasHeader = true
    /// The column names of a file without a header; empty: its columns have numbers.
    var columnNames: [String] = []
    /// Lines before the header, or before the first row.
    var skippedLines = 0
    /// Texts that mean "no value", as an empty column does.
    var emptySpellings: Set<String> = []
    /// Rows to skip.
    var skip: RowCondition?
    /// Whether a row that matches no rule is rejected; otherwise it is skipped.
    var rejectsUnmatched = false
    var rules: [EventRule] = []
    /// The SHA-256 of the mapping's text.
    var fingerprint: [UInt8] = []

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - name: the name of the file, for messages.
    /// - Throws: `ImportError.unusableMapping`, which says the line, what is wrong and what is expected.
    package init(yaml text: String, name: String) throws(ImportError) {
        self = try MappingReader(text: text, name: name).mapping()
        fingerprint = SHA256.hash(text.utf8)
    }

    init() {}
}
