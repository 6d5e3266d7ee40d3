import Events

/// An event that a row became, as JSON; or the event as far as it could be made, and why not.
struct MappedEvent {
    var json: [UInt8]
    /// What it gets if its columns say none.
    var id: EventID
    /// What names it by its place in the file alone.
    var letterID: EventID
    /// The rule's position in the mapping.
    var rule: Int
    var fault: RowFault?

    /// A row of which nothing can be made.
    static func unmapped(_ row: CSVRow, _ fingerprint: SourceFingerprint, _ fault: RowFault) -> Self {
        Self(json: row.source, id: fingerprint.id(), letterID: fingerprint.id(), rule: 0, fault: fault)
    }
}
