import Events
import InboundLinks
import JSONReading
import Time
import Timelines

/// The answer to an ``AttributionQuestion``: an event, and the touches that get credit for it.
package struct AttributionAnswer: Sendable {
    let event: EventID
    let type: EventType
    /// The conversion's name.
    let goal: String?
    let occurredAt: Timestamp
    let sentBy: EventSender
    let model: AttributionModel
    let lookback: ReportDuration
    /// Why the person's first install is doubtful.
    var doubt: DoubtfulInstalls.Reasons = []
    var list: CreditList

    /// Empty if the event is `direct`.
    var credits: [CreditedTouch] { list.touches }

    /// A JSON object (docs/attributions.md).
    package var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("event_id", event.description)
            json.member("type", type.rawValue)
            json.member("name", goal)
            json.member("occurred_at", occurredAt.rfc3339)
            json.member("sent_by", sentBy.rawValue)
            json.member("doubt", doubt.names)
            json.member("model", model.rawValue)
            json.member("lookback", lookback.text)
            let told = list.json(byteLimit: .max)
            json.key("credits")
            json.raw(told.credits)
            if let more = told.more {
                json.key("more_credits")
                json.raw(more)
            }
        }
        return json.text
    }
}

extension CreditedTouch {
    /// - Parameter given: the units of the touches before this one.
    func write(to json: inout JSONWriter, after given: Int64) {
        json.member("touch_id", touch.id.description)
        json.member("time", touch.time.rfc3339)
        json.key("credit")
        json.raw(CreditUnits.part(of: 1, from: given, units: units, decimals: 15))
        json.member("channel", touch.channel.rawValue)
        json.member("sent_by", sentBy.rawValue)
        json.member("refs", refs)
        json.member("link", link)
        json.member("target_url", targetURL)
        json.member("post_id", postID)
        json.key("poster")
        if poster.isEmpty {
            json.null()
        } else {
            json.object { json in
                json.member("user_id", poster.userID)
                json.member("device_id", poster.deviceID)
            }
        }
        json.member("doubt", doubt.names)
    }
}
