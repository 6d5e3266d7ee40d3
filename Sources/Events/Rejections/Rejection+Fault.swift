import InboundLinks
import Time
import JSONReading

extension Rejection {
    /// A rejection of a line of a file by a rule that is the file's and no event's.
    ///
    /// - Parameters:
    ///   - message: a sentence for the sender, without a value of the line.
    ///   - text: the line, or the event that was made of it, as far as it could be. Redacted here.
    package init(index: Int, eventID: EventID?, code: Code, field: String?, message: String, of text: [UInt8]) {
        self = text.withUnsafeBufferPointer { text in
            Rejection(EventFault(code, field: field, message), eventID: eventID?.description, text: text, index: index)
        }
    }

    /// The rejection with an id for its event, if it had none: what is stored from it later is then the event that would
    /// be stored from the same line.
    package func naming(_ id: EventID) -> Rejection {
        guard eventID == nil, redactedEvent.hasSuffix("}"),
            let root = try? JSONDocument(reading: redactedEvent.utf8, maximumDepth: EventLimits.bodyDepth).root,
            root.kind == .object, root[EventField.eventID.key] == nil
        else { return self }
        var rejection = self
        let separator = root.count > 0 ? "," : ""
        rejection.redactedEvent.removeLast()
        rejection.redactedEvent += #"\#(separator)"\#(EventField.eventID.key)":"\#(id)"}"#
        return rejection
    }

    /// A rejection of a text, whatever it is.
    init(_ fault: EventFault, eventID: String? = nil, text: UnsafeBufferPointer<UInt8>, index: Int) {
        self.init(
            index: index,
            eventID: eventID.map { SecretFreeText.id($0) },
            code: fault.code,
            field: fault.field,
            message: fault.message,
            redactedEvent: SecretFreeText.rejectedEvent(text)
        )
    }
}

extension EventDecoder {
    /// A rejection of an event that was read as JSON.
    ///
    /// What the request and the batch say for the event is written into it, so that the dead letter can be read again on
    /// its own: as one JSON event of no implied type.
    func rejection(
        _ fault: EventFault,
        of node: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        index: Int
    ) -> Rejection {
        let text = UnsafeBufferPointer(rebasing: source[node.sourceRange])
        guard node.kind == .object else { return Rejection(fault, text: text, index: index) }
        let eventID = node[EventField.eventID.key]?.string
        let members = impliedMembers(of: node)
        if members.isEmpty { return Rejection(fault, eventID: eventID, text: text, index: index) }

        // At the end, where they win over a null before them.
        var json = JSONTextWriter()
        json.append(raw: text.dropLast())
        for (position, member) in members.enumerated() {
            if node.count + position > 0 { json.append(",") }
            json.append(quoted: member.field.key)
            json.append(":")
            json.append(quoted: member.text)
        }
        json.append("}")
        return json.bytes.withUnsafeBufferPointer { Rejection(fault, eventID: eventID, text: $0, index: index) }
    }

    private func impliedMembers(of node: JSONNode) -> [(field: EventField, text: String)] {
        let implied: [(field: EventField, text: String?)] = [
            (.type, impliedType?.rawValue), (.sentAt, sentAt?.rfc3339), (.appID, batchAppID),
        ]
        return implied.compactMap { field, text in
            guard let text, node[field.key].map({ $0.kind == .null }) ?? true else { return nil }
            return (field, text)
        }
    }
}
