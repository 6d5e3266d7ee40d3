import JSONReading

/// An object that is not an event but contains one, or contains a list of events under another key than `events`:
/// `{"event": {…}}`, `{"batch": […]}`.
struct EventWrapping {
    let fault: EventFault

    /// Nil if the object does not look like one.
    init?(_ node: JSONNode) {
        for (key, value) in node.members where EventField(key: key) == nil {
            let isUsual = Self.usualKeys.contains(key)
            let advice: String
            switch value.kind {
            case .object where isUsual || Self.isEvent(value):
                advice = "send the event itself, without an object around it"
            case .array where key == "events":
                advice = "a list of events cannot be inside another list, or on a line; send it as application/json"
            case .array where isUsual || Self.isEvent(value.elements.first):
                advice = "a list of events belongs in events, or is sent as a bare array"
            default:
                continue
            }
            let name = SecretFreeText.name(key)
            fault = EventFault(.unknownField, field: name, "unknown field \(name); \(advice)")
            return
        }
        return nil
    }

    /// The keys that other trackers use.
    private static let usualKeys = ["event", "payload", "batch", "items", "messages", "records"]

    /// Whether the value has a field that only an event has. `name` or `value`, for example, may be anything's.
    private static func isEvent(_ node: JSONNode?) -> Bool {
        let telling: [EventField] = [.type, .userID, .deviceID, .clickID, .url, .callbackURL, .occurredAt]
        guard let node, node.kind == .object else { return false }
        return telling.contains { node[$0.key] != nil }
    }
}

extension JSONNode.Elements {
    fileprivate var first: JSONNode? {
        var elements = self
        return elements.next()
    }
}
