import Events
import InboundLinks
import Storage
import Timelines

/// The property of an event by which a report groups (`--by`) or filters (`--where`).
enum EventGrouping: FilterKey {
    case none
    case channel
    /// An event with several refs is in the group of each.
    case ref
    case refererApp
    case platform
    case appVersion
    case country
    case language
    /// Whether an app sent it, with a key that anyone can read.
    case sentBy
    /// The date in the report's time zone.
    case day
    case targetURL
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
    case linkForm
    /// Whether the click in the referrer of an install was after the download had begun.
    case injected
    /// A property that the app has declared.
    case property(PropertyKey)

    /// Those of every app, in the order of help texts.
    static let allCases: [EventGrouping] = [
        .none, .channel, .ref, .refererApp, .platform, .appVersion, .country, .language, .sentBy, .day, .targetURL,
        .page, .link, .authenticated, .deferred, .paid, .linkForm, .injected,
    ]

    /// Nil for a name that no key of every app has.
    init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    var rawValue: String {
        switch self {
        case .none: "none"
        case .channel: "channel"
        case .ref: "ref"
        case .refererApp: "referer_app"
        case .platform: "platform"
        case .appVersion: "app_version"
        case .country: "country"
        case .language: "language"
        case .sentBy: "sent_by"
        case .day: "day"
        case .targetURL: "target_url"
        case .page: "page"
        case .link: "link"
        case .authenticated: "authenticated"
        case .deferred: "deferred"
        case .paid: "paid"
        case .linkForm: "link_form"
        case .injected: "injected"
        case .property(let property): property.name
        }
    }

    // By places, because folds compare keys for each event, and the comparison of raw values compares names.
    static func == (first: EventGrouping, second: EventGrouping) -> Bool {
        if case .property(let one) = first, case .property(let other) = second { return one == other }
        return first.place == second.place
    }

    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: Int {
        switch self {
        case .none: 0
        case .channel: 1
        case .ref: 2
        case .refererApp: 3
        case .platform: 4
        case .appVersion: 5
        case .country: 6
        case .language: 7
        case .day: 8
        case .targetURL: 9
        case .page: 10
        case .link: 11
        case .authenticated: 12
        case .deferred: 13
        case .paid: 14
        case .linkForm: 15
        case .sentBy: 16
        case .injected: 17
        case .property: 18
        }
    }

    /// The keys of `--where` of every app. Some events have only some of them.
    static let filterKeys = allCases.filter { $0 != .none && $0 != .day }

    /// Those that every event may have.
    static let ofEveryEvent: [EventGrouping] = [.platform, .appVersion, .country, .language, .sentBy]

    /// Whether events of one kind can have it.
    func isAllowed(for event: FunnelEvent) -> Bool {
        switch self {
        case .none, .day, .platform, .appVersion, .country, .language, .sentBy: true
        case .injected: event == .install
        case .ref: event.isTouch || event == .feedPost
        case .channel, .refererApp, .targetURL, .page, .link, .authenticated, .deferred, .paid, .linkForm: event.isTouch
        case .property(let property):
            switch property.kind {
            case .touch: event.isTouch
            case .person: true
            case .conversion: event.isConversion
            }
        }
    }

    /// The keys of `--where` of every app that events of one kind can have.
    static func filterKeys(of event: FunnelEvent) -> [EventGrouping] {
        filterKeys.filter { $0.isAllowed(for: event) }
    }

    /// Whether only conversions have it.
    var isOfConversion: Bool {
        if case .property(let property) = self { property.kind == .conversion } else { false }
    }

    /// Whether a value stands for all values of a declared property that have no row of their own.
    ///
    /// - Parameter value: of ``value(of:_:)``.
    func isOthers(_ value: Int?, _ dictionary: TimelineDictionary) -> Bool {
        guard case .property(let property) = self, let value else { return false }
        return property.isOthers(Code(rawValue: Int32(truncatingIfNeeded: value)), dictionary)
    }

    /// Whether it is the same for every event of a person.
    var isOfPerson: Bool {
        if case .property(let property) = self { property.kind == .person } else { false }
    }

    /// All values, if there are few that never change; nil for texts.
    var closedValues: [String]? {
        switch self {
        case .channel: Channel.allCases.map(\.rawValue)
        case .platform: Platform.allCases.map(\.rawValue) + [ReportNames.none]
        case .sentBy: EventSender.allCases.map(\.rawValue)
        case .authenticated, .deferred, .paid, .injected: ["true", "false"]
        case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language,
            .property:
            nil
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
        case .property: .properties
        case .none, .channel, .platform, .sentBy, .day, .authenticated, .deferred, .paid, .linkForm, .injected: nil
        }
    }

    var isText: Bool { text != nil }

    var namedKind: NamedValue.Kind? { isText ? .key(self) : nil }

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
        case .sentBy: event.sentBy == .app ? 1 : 0
        case .injected: event.isInjected ? 1 : 0
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language,
            .property:
            nil
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
        case .authenticated, .deferred, .paid, .injected: name == "true" ? 1 : 0
        case .sentBy: name == EventSender.app.rawValue ? 1 : 0
        case .linkForm: InboundLink.Form(rawValue: name)?.position
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language,
            .property:
            nil
        }
    }

    /// The value with a number, for properties with closed values.
    func name(ofNumber number: Int) -> String {
        switch self {
        case .channel: Channel.allCases[number].rawValue
        case .platform: Platform.allCases[number].rawValue
        case .authenticated, .deferred, .paid, .injected: number == 1 ? "true" : "false"
        case .sentBy: (number == 1 ? EventSender.app : .server).rawValue
        case .linkForm: InboundLink.Form.allCases[number].rawValue
        case .none, .ref, .refererApp, .day, .targetURL, .page, .link, .appVersion, .country, .language,
            .property:
            ReportNames.none
        }
    }

    /// The code of an event's text, for texts other than refs.
    @inline(__always)
    func code(of event: TimelineEvent, _ dictionary: TimelineDictionary) -> Code {
        guard let text, text != .refs else { return .none }
        switch self {
        case .page: return dictionary.page(of: event)
        case .property(let property): return dictionary.property(property.place, of: event)
        default: return event[text]
        }
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

    /// The code of a text in the dictionary; nil if no row has this name.
    func code(of text: String, _ dictionary: TimelineDictionary) -> Code? {
        if case .property(let property) = self { return property.code(ofName: text, dictionary) }
        guard let kind = self.text else { return nil }
        return kind == .refs ? dictionary.ref(text) : dictionary.code(of: text, as: kind)
    }

    /// The text with a code of the dictionary.
    func text(of code: Code, _ dictionary: TimelineDictionary) -> String {
        if case .property(let property) = self { return property.name(of: code, dictionary) }
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
        case .property(let property): need(property.property, at: property.place)
        case .none, .channel, .platform, .sentBy, .day, .authenticated, .deferred, .injected: break
        }
    }
}
