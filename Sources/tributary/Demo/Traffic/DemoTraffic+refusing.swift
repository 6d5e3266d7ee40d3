extension DemoTraffic {
    /// Some people close the login's dialog or refuse the permission at first. Drawn apart from the rest of the day,
    /// which stays the same.
    mutating func refuseLogins(_ random: inout DemoRandom) {
        for login in events where login.kind == .authentication && random.chance(0.12) {
            let callback = random.pick(
                DemoCallback.cancelledLogin,
                DemoCallback.cancelledLogin,
                DemoCallback.deniedLogin,
                DemoCallback.failedLogin
            )
            let moment = login.moment - random.integer(in: 4_000...25_000)
            guard moment >= 0 else { continue }
            var fields = login.fields
            fields["event_id"] = .text(random.uuid())
            fields["url"] = .text(callback(&random))
            // Before the login, only the device is known.
            if fields["device_id"] != nil { fields["user_id"] = nil }
            append(DemoEvent(kind: .authentication, moment: moment, person: login.person, fields: fields))
        }
    }
}

extension DemoCallback {
    fileprivate static func cancelledLogin(_ random: inout DemoRandom) -> String {
        "fbconnect://cancel?error_code=4201&error_message=User+canceled+the+Dialog+flow&state=\(random.token(16))"
    }

    fileprivate static func deniedLogin(_ random: inout DemoRandom) -> String {
        "fb\(DemoLink.appID)://authorize/?error=access_denied&error_code=200&error_description=Permissions+error"
            + "&error_reason=user_denied&state=\(random.token(16))#_=_"
    }

    fileprivate static func failedLogin(_ random: inout DemoRandom) -> String {
        "fb\(DemoLink.appID)://authorize?error_code=1&error_message=An+unknown+error+occurred&state=\(random.token(16))"
    }
}
