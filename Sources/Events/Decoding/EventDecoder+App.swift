import InboundLinks

/// What an event may say that came with a key for apps. Anyone can read such a key in the app, so it speaks for devices
/// only. Only a backend may say who a person is and what they bought.
extension EventDecoder {
    private static let typesOfApps: [EventType] = [.inboundLink, .install, .appOpen, .feedPost, .authentication]

    func checkApp(_ draft: EventDraft, type: EventType) throws(EventFault) {
        guard Self.typesOfApps.contains(type) else {
            throw EventFault(
                .notAllowed,
                .type,
                "a key for apps cannot send a \(type.rawValue); send it from your backend, with a write key"
            )
        }
        if draft.userID != nil {
            throw EventFault(
                .notAllowed,
                .userID,
                "a key for apps cannot send user_id; send device_id, and from your backend an authentication with both"
            )
        }
        guard draft.deviceID != nil else {
            throw EventFault(.missingField, .deviceID, "an event that is sent with a key for apps needs device_id")
        }
        if draft.authenticated == true {
            throw EventFault(
                .notAllowed,
                .authenticated,
                "a key for apps cannot say who is logged in; send an authentication from your backend"
            )
        }
    }

    func checkApp(_ login: Login) throws(EventFault) {
        guard login.outcome == .granted else { return }
        throw EventFault(
            .notAllowed,
            .outcome,
            "a key for apps cannot send a granted login; send it from your backend, with user_id and device_id"
        )
    }
}
