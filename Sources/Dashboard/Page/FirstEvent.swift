import Storage

/// How to send the first event of an app, in the place of figures that are all 0.
struct FirstEvent {
    /// Makes a key that may send.
    var keyCommand: String
    /// Sends an event.
    var command: String

    init(_ request: ViewRequest) {
        let id = request.app.profile.id
        keyCommand = "tributary app add-key \(id) --scope write"
        command = """
            curl -H 'Authorization: Bearer <write key>' -H 'Content-Type: application/json' \\
              -d '{"type":"inbound_link","user_id":"ann","url":"https://shop.example/?fb_source=search&fb_ref=recipe"}' \\
              \(request.origin ?? "http://127.0.0.1:8080")/v1/events
            """
    }
}
