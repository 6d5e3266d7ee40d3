import Events

/// An event that a row became, as JSON. With a fault, the JSON is incomplete.
struct MappedEvent {
    var json: [UInt8]
    /// The event's id, if no column sets one.
    var id: EventID
    /// The id of its dead letter, which only depends on the place in the file.
    var deadLetterID: EventID
    /// The rule's position in the mapping.
    var rule: Int
    var fault: RowFault?

    /// A row that cannot become an event.
    static func unmapped(_ row: CSVRow, _ fingerprint: SourceFingerprint, _ fault: RowFault) -> Self {
        Self(json: row.source, id: fingerprint.id(), deadLetterID: fingerprint.id(), rule: 0, fault: fault)
    }
}
