import JSONReading

extension Rejection {
    /// A rejection of an event that was read as JSON.
    init(_ fault: EventFault, of node: JSONNode, in source: UnsafeBufferPointer<UInt8>, index: Int) {
        self.init(
            fault,
            eventID: node.kind == .object ? node[EventField.eventID.key]?.string : nil,
            text: UnsafeBufferPointer(rebasing: source[node.sourceRange]),
            index: index
        )
    }

    /// A rejection of a text, whatever it is.
    init(_ fault: EventFault, eventID: String? = nil, text: UnsafeBufferPointer<UInt8>, index: Int) {
        self.init(
            index: index,
            eventID: eventID.map {
                SecretFreeText.withoutNul(SecretFreeText.text($0.cut(toBytes: 4096))).cut(toBytes: 256)
            },
            code: fault.code,
            field: fault.field,
            message: fault.message,
            redactedEvent: SecretFreeText.rejectedEvent(text)
        )
    }
}
