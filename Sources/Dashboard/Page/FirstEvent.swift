import Storage

/// How to send an event, in the place of figures that are all 0.
struct FirstEvent {
    /// What the figures of a view need.
    enum Kind {
        case touch, post, conversion
    }

    var heading: String
    /// Makes a key that may send.
    var keyCommand: String
    /// What the event says.
    var says: String
    /// Sends an event.
    var command: String

    /// - Parameter kind: `touch` for an app without any event.
    init(_ request: ViewRequest, _ kind: Kind) {
        let id = request.app.profile.id
        keyCommand = "tributary app add-key \(id) --scope write"
        let event: String
        switch kind {
        case .touch:
            heading = "No event has arrived yet"
            says = "This sends somebody who tapped a link"
            event =
                #"{"type":"inbound_link","user_id":"ann","url":"https://shop.example/?fb_source=search&fb_ref=recipe"}"#
        case .post:
            heading = "How to send a post"
            says = "This sends a story that somebody posted"
            event = #"{"type":"feed_post","user_id":"ann","outcome":"posted","ref":"recipe","post_id":"1_2"}"#
        case .conversion:
            heading = "How to send a conversion"
            says = "This sends a goal that somebody reached"
            event = #"{"type":"conversion","user_id":"ann","name":"premium"}"#
        }
        command = """
            curl -H 'Authorization: Bearer <write key>' -H 'Content-Type: application/json' \\
              -d '\(event)' \\
              \(request.origin ?? "http://127.0.0.1:8080")/v1/events
            """
    }
}
