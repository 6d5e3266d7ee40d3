/// Mistakes of real senders. Only the wrong event is rejected, with a reason; its neighbours are stored.
enum DemoMistake: CaseIterable {
    case conversionWithoutName, valueWithoutCurrency, junkUser, typo, wrongType, loginResult, requestDialog, ahead, old
    case longRef

    /// The event as one line of JSON.
    func line(on day: DemoDay, _ random: inout DemoRandom) -> String {
        var members: [String: DemoValue] = [
            "event_id": .text(random.uuid()), "user_id": .text("1000" + random.digits(11)),
            "occurred_at": .text(day.text(at: random.integer(in: 0...DemoDay.length))),
        ]
        switch self {
        case .conversionWithoutName:
            members["type"] = "conversion"
        case .valueWithoutCurrency:
            members["type"] = "conversion"
            members["name"] = "premium"
            members["value"] = "9.99"
        case .junkUser:
            // A phone whose SDK had no user yet.
            members["type"] = "authentication"
            members["user_id"] = "null"
        case .typo:
            members["type"] = "install"
            members["devise_id"] = .text(random.uuid())
        case .wrongType:
            members["type"] = "purchase"
        case .loginResult:
            // The result of a login: it arrives like a link, but it is not one.
            members["type"] = "inbound_link"
            let parameters = [
                ("granted_scopes", "public_profile"), ("access_token", "EAAB" + random.token(40)),
                ("state", random.token(16)),
            ]
            members["url"] = .text("fb\(DemoLink.appID)://authorize/#" + DemoLink.query(parameters))
        case .requestDialog:
            members["type"] = "feed_post"
            let parameters = [("request", random.digits(15)), ("to%5B0%5D", random.digits(15))]
            members["callback_url"] = .text("fbconnect://success?" + DemoLink.query(parameters))
        case .ahead:
            members["type"] = "authentication"
            members["occurred_at"] = .text(day.text(at: DemoDay.length * 3))
        case .old:
            members["type"] = "authentication"
            members["occurred_at"] = "2011-06-15T12:00:00Z"
        case .longRef:
            members["type"] = "feed_post"
            members["post_id"] = .text(random.digits(15))
            members["ref"] = .text(String(repeating: "recipe-", count: 40))
        }
        return DemoJSON.text(.object(members))
    }
}
