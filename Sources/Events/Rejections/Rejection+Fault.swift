import InboundLinks
import Time
import JSONReading

extension Rejection {
    /// A rejection of a line of a file, by a rule for files and not for events.
    ///
    /// - Parameters:
    ///   - message: a sentence for the sender. It must not contain a value of the line.
    ///   - text: the line, or the event as far as it could be made from the line. It is redacted here.
    package init(index: Int, eventID: EventID?, code: Code, field: String?, message: String, of text: [UInt8]) {
        self = text.withUnsafeBufferPointer { text in
            Rejection(EventFault(code, field: field, message), eventID: eventID?.description, text: text, index: index)
        }
    }

    /// The rejection with this id for its event, if the event has none. Then a retry of the dead letter and another
    /// import of the same line store the same event.
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

    /// A rejection of any text.
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
    /// The values that the request and the batch give for the event are written into it. So the dead letter can be read
    /// again alone, as one JSON event without an implied type.
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

        // A null is replaced, because a key may be there only once. Other members come at the end.
        var json: [UInt8] = []
        var copied = node.sourceRange.lowerBound
        var isEmpty = node.count == 0
        let nulls = members.compactMap { member in node[member.field.key].map { (range: $0.sourceRange, member.text) } }
        for (range, text) in nulls.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            json += source[copied..<range.lowerBound]
            JSONWriter.appendQuoted(text.utf8, to: &json)
            copied = range.upperBound
        }
        json += source[copied..<node.sourceRange.upperBound - 1]
        for member in members where node[member.field.key] == nil {
            if !isEmpty { json.append(UInt8(ascii: ",")) }
            isEmpty = false
            JSONWriter.appendQuoted(member.field.key.utf8, to: &json)
            json.append(UInt8(ascii: ":"))
            JSONWriter.appendQuoted(member.text.utf8, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json.withUnsafeBufferPointer { Rejection(fault, eventID: eventID, text: $0, index: index) }
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
