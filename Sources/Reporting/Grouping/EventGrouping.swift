import Events
import InboundLinks
import Timelines

/// The property of an event by which a report groups (`--by`) or filters (`--where`).
enum EventGrouping: String, FilterKey {
    case none
    case channel
    /// An event with several refs is in the group of each.
    case ref
    case refererApp = "referer_app"
    case platform
    case appVersion = "app_version"
    case country
    case language
    /// The date in the report's time zone.
    case day
    case targetURL = "target_url"
    /// What targets of one page have in common.
    case page
    /// The short link, as `host/slug`.
    case link
    /// Whether the link carried a token.
    case authenticated
    /// Whether the link was delivered at the first launch after an install.
    case deferred
    /// Whether the link came from an ad.
    case paid
    /// How the link was built.
    case linkForm = "link_form"

    /// The keys of `--where`.
    static let filterKeys = allCases.filter { $0 != .none && $0 != .day }

    /// Those that every event may have.
    static let ofDevice: [EventGrouping] = [.platform, .appVersion, .country, .language]

    /// The groupings of events of one kind.
    static func allowed(for event: FunnelEvent) -> [EventGrouping] {
        switch event {
        case _ where event.isTouch: allCases
        case .feedPost: [.none, .ref] + ofDevice + [.day]
        default: [.none] + ofDevice + [.day]
        }
    }

    /// The keys of `--where` that events of one kind can have.
    static func filterKeys(of event: FunnelEvent) -> [EventGrouping] {
        allowed(for: event).filter(filterKeys.contains)
    }

    /// The groupings of any event that serves one of the steps.
    static func allowed(for steps: some Sequence<FunnelStep>) -> [EventGrouping] {
        let found = Set(steps.flatMap(\.alternatives).flatMap { allowed(for: $0) })
        return allCases.filter(found.contains)
    }

    /// All values, if there are few that never change; nil for texts.
    var closedValues: [String]? {
        switch self {
        case .channel: Channel.allCases.map(\.rawValue)
        case .platform: Platform.allCases.map(\.rawValue) + [ReportNames.none]
        case .authenticated, .deferred, .paid: ["true", "false"]
        case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language: nil
        }
    }

    /// The text of the dictionary that the property is; nil for other properties.
    var text: TimelineText? {
        switch self {
        case .ref: .refs
        case .refererApp: .referer
        // Pages are numbered among the targets.
        case .targetURL, .page: .target
        case .link: .link
        case .appVersion: .appVersion
        case .country: .country
        case .language: .language
        case .none, .channel, .platform, .day, .authenticated, .deferred, .paid, .linkForm: nil
        }
    }

    var isText: Bool { text != nil }

    /// Whether a value in `--where` that ends in `*` stands for all that begin with the rest.
    var hasPrefixes: Bool { self == .targetURL || self == .page }

    /// The number of an event's value, for properties that are no texts, no days, and not refs; nil if the event does
    /// not have the property. Only links are authenticated, deferred or paid, or not.
    @inline(__always)
    func number(of event: TimelineEvent) -> Int? {
        switch self {
        case .channel: event.channel?.position
        case .platform: event.platform?.position
        case .authenticated: Self.number(event.authenticated, event)
        case .deferred: Self.number(event.isDeferredLink, event)
        case .paid: Self.number(event.paid, event)
        case .linkForm: event.channel == nil ? nil : event.form?.position
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language: nil
        }
    }

    private static func number(_ flag: Bool, _ event: TimelineEvent) -> Int? {
        event.channel == nil ? nil : flag ? 1 : 0
    }

    /// The number of a value; nil for `(none)`.
    func number(named name: String) -> Int? {
        switch self {
        case .channel: Channel(rawValue: name)?.position
        case .platform: Platform(rawValue: name)?.position
        case .authenticated, .deferred, .paid: name == "true" ? 1 : 0
        case .linkForm: InboundLink.Form(rawValue: name)?.position
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language: nil
        }
    }

    /// The value with a number, for properties with closed values.
    func name(ofNumber number: Int) -> String {
        switch self {
        case .channel: Channel.allCases[number].rawValue
        case .platform: Platform.allCases[number].rawValue
        case .authenticated, .deferred, .paid: number == 1 ? "true" : "false"
        case .linkForm: InboundLink.Form.allCases[number].rawValue
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language:
            ReportNames.none
        }
    }

    /// The code of an event's text, for texts other than refs.
    @inline(__always)
    func code(of event: TimelineEvent, _ dictionary: TimelineDictionary) -> Code {
        guard let text, text != .refs else { return .none }
        return self == .page ? dictionary.page(of: event) : event[text]
    }

    /// The number or code of an event's value, for properties other than refs and days; nil if the event does not have
    /// the property.
    @inline(__always)
    func value(of event: TimelineEvent, _ dictionary: TimelineDictionary) -> Int? {
        guard isText else { return number(of: event) }
        let code = code(of: event, dictionary)
        return code.isNone ? nil : code.index
    }

    /// The name of a value by its number or code, for properties other than days.
    func name(ofValue value: Int, _ dictionary: TimelineDictionary) -> String {
        isText ? text(of: Code(rawValue: Int32(value)), dictionary) : name(ofNumber: value)
    }

    /// The code of a text in the dictionary.
    func code(of text: String, _ dictionary: TimelineDictionary) -> Code {
        guard let kind = self.text else { return .none }
        return kind == .refs ? dictionary.ref(text) : dictionary.code(of: text, as: kind)
    }

    /// The text with a code of the dictionary.
    func text(of code: Code, _ dictionary: TimelineDictionary) -> String {
        guard let kind = text else { return ReportNames.none }
        return (kind == .refs ? dictionary.refs : dictionary[kind]).text(of: code)
    }
}

extension TimelineEvent {
    /// Whether it is a deferred link. The link that came with an install is always one.
    @inline(__always)
    fileprivate var isDeferredLink: Bool {
        if case .install = type { channel != nil } else { deferred }
    }
}

extension TimelineQuery {
    /// Asks for the property of a grouping.
    mutating func need(_ grouping: EventGrouping) {
        switch grouping {
        case .ref: needs.insert(.refs)
        case .refererApp: needs.insert(.referers)
        case .targetURL, .page: needs.insert(.targets)
        case .link: needs.insert(.links)
        case .paid, .linkForm: needs.insert(.forms)
        case .appVersion: needs.insert(.appVersions)
        case .country: needs.insert(.countries)
        case .language: needs.insert(.languages)
        case .none, .channel, .platform, .day, .authenticated, .deferred: break
        }
    }
}
