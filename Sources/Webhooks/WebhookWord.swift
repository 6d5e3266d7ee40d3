import Events
import JSONReading
import Storage
import Time

/// What is told of an event: the body of a request (docs/webhooks.md).
struct WebhookWord: Sendable {
    enum Kind: String, Sendable {
        case made = "credit.made"
        case changed = "credit.changed"
        case settled = "credit.settled"
    }

    /// What a word says of its event.
    struct Facts: Sendable {
        var id: EventID
        var type: String
        var name: String?
        var time: Timestamp
        /// A decimal.
        var value: String?
        var currency: String?
        /// `server` or `app`.
        var sentBy: String
        /// Why the person's first install is doubtful.
        var doubt: [String] = []
        /// The person: `u`, `d` or `c`, then the id.
        var person: String
        /// The event's own.
        var deviceID: String?
        var clickID: String?
    }

    var kind: Kind
    var event: EventID
    /// Nil if the event was deleted with its person: nothing is said of it any more.
    var facts: Facts?
    /// JSON; `null` if the event does not count.
    var credits: String
    /// JSON: the sum of the credits that are left out; nil: none is.
    var more: String?
    /// JSON; nil if there is nothing to compare with, or it was deleted.
    var previous: String?
    /// The people whom the body names.
    var mentioned: [String]

    func body(
        of webhook: Webhook,
        id: String,
        number: Int64,
        question: (model: String, lookback: String),
        asOf: Timestamp
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("type", kind.rawValue)
            json.member("id", id)
            json.member("sequence", number)
            json.member("app_id", webhook.appID)
            json.member("as_of", asOf.rfc3339)
            json.key("event")
            json.object { json in
                json.member("id", event.description)
                guard let facts else { return json.member("deleted", true) }
                json.member("type", facts.type)
                json.member("name", facts.name)
                json.member("time", facts.time.rfc3339)
                json.key("value")
                if let value = facts.value { json.raw(value) } else { json.null() }
                json.member("currency", facts.currency)
                json.member("sent_by", facts.sentBy)
                json.member("doubt", facts.doubt)
                json.key("person")
                json.object { json in
                    let person = PersonKey(text: facts.person)
                    func id(_ kind: PersonKey.Kind) -> String? { person?.kind == kind ? person?.id : nil }
                    json.member("user_id", id(.user))
                    json.member("device_id", id(.device) ?? facts.deviceID)
                    json.member("click_id", id(.click) ?? facts.clickID)
                }
            }
            json.member("model", question.model)
            json.member("lookback", question.lookback)
            json.key("credits")
            json.raw(credits)
            if let more {
                json.key("more_credits")
                json.raw(more)
            }
            if let previous {
                json.key("previous")
                json.raw(previous)
            }
        }
        return json.text
    }
}
