/// A rule whose columns have been found in a file.
struct ResolvedRule {
    let condition: ResolvedCondition?
    let idColumns: [Int]
    var fields: [ResolvedField] = []
    var properties: [ResolvedField] = []

    init(_ rule: EventRule, _ finder: ColumnFinder) throws(ImportError) {
        condition = try rule.condition.map { (condition) throws(ImportError) in
            try ResolvedCondition(condition, finder)
        }
        var idColumns: [Int] = []
        for column in rule.idColumns { idColumns.append(try finder.position(of: column)) }
        self.idColumns = idColumns
        for field in rule.fields { fields.append(try ResolvedField(field, finder)) }
        for field in rule.properties { properties.append(try ResolvedField(field, finder)) }
    }
}
