/// A field of an event whose columns have been found in a file.
struct ResolvedField {
    /// JSON.
    let key: [UInt8]
    let rule: FieldRule
    let columns: [Int]
    var encoder: FieldEncoder

    init(_ rule: FieldRule, _ finder: ColumnFinder) throws(ImportError) {
        self.rule = rule
        key = JSONValueText.quoted(rule.key)
        encoder = FieldEncoder(kind: rule.kind)
        var columns: [Int] = []
        if case .columns(let references) = rule.source {
            for column in references { columns.append(try finder.position(of: column)) }
        }
        self.columns = columns
    }
}
