/// A person of the demo, and their ids.
struct DemoPerson: Sendable {
    enum Platform: String, CaseIterable, Sendable {
        case ios, android, web, desktop

        var isPhone: Bool { self == .ios || self == .android }
    }

    private(set) var number: Int
    let platform: Platform
    /// Sent from the first login on.
    let userID: String
    /// The vendor id of a phone, or the cookie of a browser.
    let deviceID: String
    /// The app's web page makes it for a tap and passes it on to the store.
    let clickID: String

    /// - Parameter platform: nil for one at random.
    init(number: Int, on platform: Platform? = nil, _ random: inout DemoRandom) {
        self.number = number
        let usual = random.pick(Platform.self) { platform in
            switch platform {
            case .ios: 0.38
            case .android: 0.34
            case .web: 0.2
            case .desktop: 0.08
            }
        }
        self.platform = platform ?? usual
        userID = "1000" + random.digits(11)
        deviceID = self.platform.isPhone ? random.uuid().uppercased() : "browser-" + random.token(16)
        clickID = "tap-" + random.token(12)
    }

    /// The same person on another day, where they have this number.
    func numbered(_ number: Int) -> DemoPerson {
        var person = self
        person.number = number
        return person
    }

    /// From the user's id, so that a person keeps them on all days.
    private var country: String {
        Self.pick(["US", "US", "US", "US", "DE", "DE", "DE", "GB", "GB", "AT"], digit: 1, userID)
    }
    private var appVersion: String {
        Self.pick(
            ["4.2.0", "4.2.0", "4.2.0", "4.2.0", "4.2.0", "4.1.3", "4.1.3", "4.1.3", "3.9.1", "3.9.1"],
            digit: 2,
            userID
        )
    }

    /// What people say of themselves when they log in. Most say nothing.
    var profile: DemoValue {
        let diet = Self.pick(
            ["", "", "", "", "", "", "vegetarian", "vegetarian", "vegetarian", "vegan"],
            digit: 3,
            userID
        )
        return .object(diet.isEmpty ? [:] : ["diet": .text(diet)])
    }

    /// One of ten, by a digit from the end.
    private static func pick(_ values: [String], digit: Int, _ id: String) -> String {
        id.dropLast(digit - 1).last?.wholeNumberValue.map { values[$0] } ?? values[0]
    }

    enum ID {
        case user, device, click
    }

    /// The fields that name this person in an event.
    func fields(_ ids: ID...) -> [String: DemoValue] {
        var fields: [String: DemoValue] = ["platform": .text(platform.rawValue)]
        fields["country"] = .text(country)
        fields["language"] = .text(country == "DE" || country == "AT" ? "de-\(country)" : "en-\(country)")
        if platform.isPhone { fields["app_version"] = .text(appVersion) }
        for id in ids {
            switch id {
            case .user: fields["user_id"] = .text(userID)
            case .device: fields["device_id"] = .text(deviceID)
            case .click: fields["click_id"] = .text(clickID)
            }
        }
        return fields
    }
}
