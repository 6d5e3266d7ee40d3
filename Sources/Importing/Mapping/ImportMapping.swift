import Crypto

/// What the columns of a CSV file mean: `tributary import --mapping`, docs/import.md.
package struct ImportMapping: Equatable, Sendable {
    var dialect = CSVDialect()
    var hasHeader = true
    /// The names of the columns of a file without a header; empty: they have numbers only.
    var columnNames: [String] = []
    /// Lines before the header, or before the first row.
    var skippedLines = 0
    /// Spellings of no value, beside the empty one.
    var emptySpellings: Set<String> = []
    /// Rows to pass over.
    var skip: RowCondition?
    /// Whether a row that no rule takes is rejected; else it is passed over.
    var rejectsUnmatched = false
    var rules: [EventRule] = []
    /// The SHA-256 of its text.
    var fingerprint: [UInt8] = []

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - name: of the file, for messages.
    /// - Throws: `ImportError.unusableMapping`, which names the line, what is wrong and what may stand there.
    package init(yaml text: String, name: String) throws(ImportError) {
        self = try MappingReader(text: text, name: name).mapping()
        fingerprint = Array(SHA256.hash(data: Array(text.utf8)))
    }

    init() {}
}
