import Time
import JSONReading

/// The object around a list of events: `{"events": […], "sent_at": …}`. It may also have an `app_id` for all events.
struct BatchEnvelope {
    let events: JSONNode
    let sentAt: Timestamp?
    let appID: String?

    init(_ node: JSONNode) throws(BatchError) {
        var events: JSONNode?
        var sentAt: Timestamp?
        var appID: String?
        var seen: [String] = []
        for (key, value) in node.members {
            guard !seen.contains(key) else { throw .duplicateField(name: key) }
            switch key {
            case "events":
                guard value.kind == .array else {
                    throw .invalidField(
                        name: key,
                        reason: "events must be an array of objects; found \(value.kind.phrase)"
                    )
                }
                events = value
            case "sent_at":
                do {
                    sentAt = try FieldValue.time(value, .sentAt)
                } catch {
                    throw .invalidField(name: key, reason: error.message)
                }
            case "app_id":
                guard value.kind == .string || value.kind == .null else {
                    throw .invalidField(name: key, reason: "app_id must be a string; found \(value.kind.phrase)")
                }
                appID = value.string
            default:
                let known = ["events", "sent_at", "app_id"]
                throw .unknownField(
                    name: SecretFreeText.name(key),
                    suggestion: FieldSuggestion.closest(to: key, among: known)
                )
            }
            // Only the three keys above come so far.
            seen.append(key)
        }
        guard let events else { throw .invalidField(name: "events", reason: "events must be an array of objects") }
        self.events = events
        self.sentAt = sentAt
        self.appID = appID
    }
}
