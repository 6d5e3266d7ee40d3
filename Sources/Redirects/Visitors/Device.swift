package import Events

/// The kinds of devices that links tell apart.
package enum Device: String, CaseIterable, Sendable {
    case iPhone = "iphone"
    case iPad = "ipad"
    case android
    /// A phone or tablet without the App Store and Google Play.
    case otherPhone = "other_phone"
    /// Safari that says it runs on a Mac: perhaps it runs on an iPad.
    case macSafari = "mac_safari"
    case desktop

    package var platform: Platform {
        switch self {
        case .iPhone, .iPad: .ios
        case .android: .android
        case .otherPhone: .web
        case .macSafari, .desktop: .desktop
        }
    }

    /// The system that may open the app by itself; nil if this device has no app.
    var system: LinkApp.System? {
        switch self {
        case .iPhone, .iPad: .ios
        case .android: .android
        case .otherPhone, .macSafari, .desktop: nil
        }
    }

    /// The first that applies.
    init(_ agent: AgentReading, saysAndroid: Bool, saysMobile: Bool) {
        let marks = agent.marks
        if marks.contains(.windowsPhone) {
            // It says Android and iPhone too.
            self = .otherPhone
        } else if marks.isSuperset(of: [.linux, .android]), !marks.isDisjoint(with: [.iPad, .iPhone]) {
            // Models of Android tablets are called HiPad, NaviPad and the like.
            self = marks.contains(.withoutPlay) ? .otherPhone : .android
        } else if marks.contains(.iPad) {
            self = .iPad
        } else if marks.contains(.iPhone) {
            self = .iPhone
        } else if marks.isSuperset(of: [.macintosh, .iOSOnly]) {
            self = .iPad
        } else if marks.contains(.withoutPlay) {
            self = .otherPhone
        } else if marks.contains(.android) || saysAndroid {
            self = .android
        } else if marks.isSuperset(of: [.macintosh, .version]), agent.endsWithSafari, !marks.contains(.chrome) {
            self = .macSafari
        } else if marks.contains(.phone) || saysMobile {
            self = .otherPhone
        } else {
            self = .desktop
        }
    }
}
