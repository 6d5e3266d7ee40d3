import JSONReading

/// An object that is not an event but contains one, or a list of events under another key than `events`:
/// `{"event": {…}}`, `{"batch": […]}`.
struct EventWrapping {
    let fault: EventFault

    /// Nil if the object does not look like one.
    init?(_ node: JSONNode) {
        for (key, value) in node.members where EventField(key: key) == nil {
            let name = SecretFreeText.name(key)
            switch value.kind {
            case .object where Self.isEvent(value):
                fault = EventFault(
                    .unknownField,
                    field: name,
                    "unknown field \(name); send the event itself, without an object around it"
                )
                return
            case .array where value.elements.firstElement.map(Self.isEvent) == true:
                fault = EventFault(
                    .unknownField,
                    field: name,
                    "unknown field \(name); a list of events belongs in events, or is sent as a bare array"
                )
                return
            default:
                continue
            }
        }
        return nil
    }

    /// Whether the value has at least one field of an event, besides `name` and other words of everyday.
    private static func isEvent(_ node: JSONNode) -> Bool {
        let telling: [EventField] = [.type, .userID, .deviceID, .clickID, .url, .callbackURL, .occurredAt]
        return node.kind == .object && telling.contains { node[$0.key] != nil }
    }
}

extension JSONNode.Elements {
    fileprivate var firstElement: JSONNode? {
        var elements = self
        return elements.next()
    }
}
