import InboundLinks
import JSONReading

/// Redacts stored text by the rules of this version. Text without a secret stays as it is.
package enum StoredText {
    /// An id, a ref, a message and the like.
    package static func text(_ text: String) -> String {
        SecretFreeText.text(text)
    }

    /// The raw link of a touch. By earlier rules, the result of a login may have been stored as one.
    package static func link(_ url: String) -> String {
        guard case .loginResult = LinkReader.read(url) else { return SecretFreeText.text(url) }
        return Redaction.redact(url, loginResult: true)
    }

    /// The raw callback of a login.
    package static func loginCallback(_ url: String) -> String {
        Redaction.redact(url, loginResult: true)
    }

    /// The text of a JSON object.
    package static func object(_ json: String) -> String {
        guard let document = try? JSONDocument(reading: json.utf8), document.root.kind == .object else {
            return SecretFreeText.text(json)
        }
        return PropertiesText.redacted(document.root, json)
    }

    /// An event of a type, as sent, with the secrets replaced that are not stored of it.
    ///
    /// - Parameter json: a JSON object that was read as an event.
    package static func sentEvent(_ json: some Sequence<UInt8>, of type: EventType) -> String {
        guard let root = try? JSONDocument(reading: json, maximumDepth: EventLimits.bodyDepth).root else { return "{}" }
        var writer = JSONWriter()
        writer.object { writer in
            for (key, value) in root.members {
                writer.key(key)
                switch (EventField(key: key), value.string) {
                case (.url, let url?): writer.string(type == .authentication ? loginCallback(url) : link(url))
                case (.callbackURL, let url?): writer.string(loginCallback(url))
                default: SecretFreeJSON.write(value, to: &writer)
                }
            }
        }
        return writer.text
    }

    /// The text of a dead letter.
    package static func rejectedEvent(_ text: String) -> String {
        var text = text
        return text.withUTF8 { SecretFreeText.rejectedEvent($0) }
    }

    package static func rejection(_ rejection: Rejection) -> Rejection {
        var redacted = rejection
        redacted.eventID = rejection.eventID.map(text)
        redacted.field = rejection.field.map(text)
        redacted.message = text(rejection.message)
        redacted.redactedEvent = rejectedEvent(rejection.redactedEvent)
        return redacted
    }

    package static func submission(_ submission: Submission) -> Submission {
        var redacted = submission
        redacted.events = submission.events.map(event)
        redacted.rejections = submission.rejections.map(rejection)
        return redacted
    }

    package static func event(_ event: Event) -> Event {
        var redacted = event
        JSONMembers.redact { $0.event(&redacted) }
        return redacted
    }

    /// A post id with a secret in it identifies no post: redacted, the ids of several posts would be one.
    static func postID(_ id: String) -> String? {
        text(id) == id ? id : nil
    }
}
