/// The texts of an event that timelines keep as codes of a dictionary. Everything that handles all of them follows this
/// list.
package enum TimelineText: Int, CaseIterable, Sendable {
    /// A list of refs, as the elements that ``TimelineDictionary/refList(elements:)`` takes.
    case refs
    case referer
    case target
    /// A short link, as `host/slug`.
    case link
    case goal
    case currency
    case appVersion
    case country
    case language
    /// The declared properties of the event: a list of names and values, as ``DeclaredProperties`` reads it.
    case properties
}

extension TimelineEvent {
    /// The code of a text of the event.
    @inline(__always)
    package subscript(text: TimelineText) -> Code {
        get {
            switch text {
            case .refs: refs
            case .referer: referer
            case .target: target
            case .link: shortLink
            case .goal: goal
            case .currency: currency
            case .appVersion: appVersion
            case .country: country
            case .language: language
            case .properties: properties
            }
        }
        set {
            switch text {
            case .refs: refs = newValue
            case .referer: referer = newValue
            case .target: target = newValue
            case .link: shortLink = newValue
            case .goal: goal = newValue
            case .currency: currency = newValue
            case .appVersion: appVersion = newValue
            case .country: country = newValue
            case .language: language = newValue
            case .properties: properties = newValue
            }
        }
    }
}
