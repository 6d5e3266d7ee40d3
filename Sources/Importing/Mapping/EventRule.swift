/// An event that rows become.
struct EventRule: Equatable, Sendable {
    /// Nil: every row.
    var condition: RowCondition?
    /// What the event's id is made of; empty: the row's place in the file.
    var idColumns: [ColumnReference] = []
    var fields: [FieldRule] = []
    var properties: [FieldRule] = []
    /// For messages.
    var place: String
}
