/// A rule that makes an event of a row.
struct EventRule: Equatable, Sendable {
    /// The rows that it matches; nil: every row.
    var condition: RowCondition?
    /// The columns that decide the event's id; empty: the row's place in the file decides.
    var idColumns: [ColumnReference] = []
    var fields: [FieldRule] = []
    var properties: [FieldRule] = []
    /// The rule's place in the mapping, for messages.
    var place: String
}
