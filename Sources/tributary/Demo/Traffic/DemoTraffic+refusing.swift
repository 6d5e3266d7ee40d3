extension DemoTraffic {
    /// Some people close the login's dialog or refuse the permission at first, some for good. Drawn apart from the rest
    /// of the day, which stays the same.
    mutating func refuseLogins(_ random: inout DemoRandom) {
        for login in events where login.kind == .authentication && random.chance(0.12) {
            let moment = login.moment - random.integer(in: 4_000...25_000)
            // Before the login, only the device is known.
            var fields = login.fields
            if fields["device_id"] != nil { fields["user_id"] = nil }
            refuseLogin(of: login.person, at: moment, fields, &random)
        }
        for (person, moment) in withoutLogin where random.chance(0.3) {
            for attempt in 0..<random.integer(in: 1...2) {
                let later = moment + attempt * random.integer(in: 15_000...90_000)
                refuseLogin(of: person.number, at: later, person.fields(.device), &random)
            }
        }
    }

    private mutating func refuseLogin(
        of person: Int,
        at moment: Int,
        _ fields: [String: DemoValue],
        _ random: inout DemoRandom
    ) {
        let callback = random.pick(
            DemoCallback.cancelledLogin,
            DemoCallback.cancelledLogin,
            DemoCallback.deniedLogin,
            DemoCallback.failedLogin
        )
        guard (0...DemoDay.length).contains(moment) else { return }
        var fields = fields
        fields["event_id"] = .text(random.uuid())
        fields["url"] = .text(callback(&random))
        append(DemoEvent(kind: .authentication, moment: moment, person: person, fields: fields))
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
