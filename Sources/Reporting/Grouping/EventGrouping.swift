import Events
import InboundLinks
import Storage
import Timelines

/// The property of an event by which a report groups (`--by`) or filters (`--where`). Those of every app are declared
/// here: which events have it, where, what a query must read for it, and what `breakdown` says of it.
struct EventGrouping: FilterKey {
    static let none = key("none", of: .all, .none, "")
    static let channel = key("channel", .value(.channel), "The channel of the touches.")
    static let ref = key(
        "ref",
        of: .touchesAndPosts,
        .refs,
        needs: .refs,
        "The ref. A touch with several refs counts in the row of each."
    )
    static let refFrom = key(
        "ref_from",
        .value(.refFrom),
        needs: [.refs, .refOrigins],
        "What named the refs: the `link`, the touch's `post`, a post with the same `url`, or a `short_link`."
    )
    static let refererApp = key("referer_app", .text(.referer), needs: .referers, "The app that the touches came from.")
    static let platform = key("platform", of: .all, .value(.platform), "The platform.")
    static let appVersion = key(
        "app_version",
        of: .all,
        .text(.appVersion),
        needs: .appVersions,
        "The version of the app."
    )
    static let country = key("country", of: .all, .text(.country), needs: .countries, "The country of the device.")
    static let language = key("language", of: .all, .text(.language), needs: .languages, "The language of the device.")
    static let sentBy = key(
        "sent_by",
        of: .all,
        .value(.sender),
        "`app` for touches that came with a key for apps, else `server`."
    )
    static let day = key("day", of: .all, .period(.day), "")
    static let week = key("week", of: .all, .period(.week), "")
    static let month = key("month", of: .all, .period(.month), "")
    static let targetURL = key(
        "target_url",
        .text(.target),
        needs: .targets,
        "The page that the links lead to, as they spell it."
    )
    static let page = key(
        "page",
        .page,
        needs: .targets,
        "The page that the links lead to, without scheme, `www.`, port, parameters and the like."
    )
    static let link = key("link", .text(.link), needs: .links, "The short link, `host/slug`.")
    static let authenticated = key("authenticated", .value(.authenticated), "Whether the links carried a token.")
    static let deferred = key(
        "deferred",
        .value(.deferred),
        "Whether the links were delivered at the first launch after an install."
    )
    static let paid = key("paid", .value(.paid), needs: .forms, "Whether the touches came from an ad.")
    static let linkForm = key("link_form", .value(.linkForm), needs: .forms, "The form of the links.")
    /// Whether the click in the referrer of an install was after the download had begun.
    static let injected = key("injected", of: .installs, .value(.injected), "")
    /// What an install itself says of the tap that it came from.
    static let joinedBy = key("joined_by", of: .installs, .value(.joinedBy), "")

    /// Why a person's first install is doubtful. It takes the installs of all people, so no event has it.
    static let doubt = key("doubt", of: .invitations, .value(.doubt), "")

    // Only conditions on steps of funnels have them.
    private static let loginOutcome = key("outcome", of: .authentications, .value(.loginOutcome), "")
    private static let postOutcome = key("outcome", of: .feedPosts, .value(.postOutcome), "")
    private static let saleOutcome = key("outcome", of: .conversions, .value(.saleOutcome), "")

    /// The outcome of events of one kind; nil if they have none.
    static func outcome(of event: FunnelEvent) -> EventGrouping? {
        [loginOutcome, postOutcome, saleOutcome].first { $0.isAllowed(for: event) }
    }

    /// Those of every app, in the order of help texts.
    static let allCases = [
        none, channel, ref, refFrom, refererApp, platform, appVersion, country, language, sentBy, day, week, month,
        targetURL, page, link, authenticated, deferred, paid, linkForm, injected, joinedBy,
    ]

    /// The keys of `--where` of every app. Some events have only some of them.
    static let filterKeys = allCases.filter { $0 != .none && $0.period == nil }

    /// Those that every event may have.
    static let ofEveryEvent = filterKeys.filter { $0.owner == .all }

    static func property(_ property: PropertyKey) -> EventGrouping {
        let owner: Owner =
            switch property.kind {
            case .touch: .touches
            case .person: .all
            case .conversion: .conversions
            }
        let meaning = "The declared property `\(property.name)` of the \(owner == .all ? "people" : "touches")."
        return key(property.name, of: owner, .property(property), meaning)
    }

    /// Which events can have it.
    enum Owner {
        case all, touches, touchesAndPosts, installs, authentications, conversions, feedPosts
        /// No single event: what only the tree of invitations knows.
        case invitations
    }

    /// Where an event has it.
    enum Source: Sendable {
        /// Nowhere: nothing is grouped.
        case none
        /// The first date of its day, week or month in the report's time zone.
        case period(CalendarPeriod)
        case value(Value)
        /// An event with several refs is in the group of each.
        case refs
        case text(TimelineText)
        /// What targets of one page have in common.
        case page
        /// One that the app has declared.
        case property(PropertyKey)
    }

    /// A property with few values that never change. Each has a number.
    enum Value {
        case channel, platform, sender, authenticated, deferred, paid, linkForm, refFrom, injected
        case loginOutcome, postOutcome, saleOutcome, doubt, joinedBy

        /// Nil if the event does not have the property. Only links are authenticated, deferred or paid, or not. A
        /// switch, because folds ask for each event.
        ///
        /// - Parameter currency: the app's; only outcomes of conversions depend on it.
        @inline(__always)
        func number(of event: TimelineEvent, in currency: @autoclosure () -> Code = .none) -> Int? {
            switch self {
            case .channel: event.channel?.position
            case .platform: event.platform?.position
            case .sender: event.sentBy == .app ? 1 : 0
            case .authenticated: Self.number(event.authenticated, event)
            case .deferred: Self.number(event.isDeferredLink, event)
            case .paid: Self.number(event.paid, event)
            case .linkForm: event.channel == nil ? nil : event.form?.position
            case .refFrom: event.refFrom?.position
            case .injected: event.isInjected ? 1 : 0
            // An authenticated link is granted, as every event that is no authentication.
            case .loginOutcome: LoginOutcome.allCases.firstIndex(of: event.login)
            case .postOutcome: event.outcome?.position
            case .saleOutcome: event.saleOutcome(in: currency())
            case .doubt: nil
            case .joinedBy: event.joinedBy
            }
        }

        private static func number(_ flag: Bool, _ event: TimelineEvent) -> Int? {
            event.channel == nil ? nil : flag ? 1 : 0
        }

        /// By their numbers.
        var names: [String] {
            switch self {
            case .channel: Channel.allCases.map(\.rawValue)
            case .platform: Platform.allCases.map(\.rawValue)
            case .sender: EventSender.allCases.map(\.rawValue)
            case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
            case .refFrom: RefOrigin.allCases.map(\.rawValue)
            case .loginOutcome: LoginOutcome.allCases.map(\.rawValue)
            case .postOutcome: PostOutcome.allCases.map(\.rawValue)
            case .saleOutcome: ["paid", "free", "refunded"]
            case .doubt: DoubtfulInstalls.Reasons.names
            case .joinedBy: ["link", "click"]
            case .authenticated, .deferred, .paid, .injected: ["false", "true"]
            }
        }

        /// As help texts show them.
        var shown: [String] {
            switch self {
            case .platform, .refFrom, .saleOutcome, .doubt, .joinedBy: names + [ReportNames.none]
            case .authenticated, .deferred, .paid, .injected: names.reversed()
            default: names
            }
        }
    }

    private struct Declaration: Sendable {
        var name: String
        var owner: Owner
        var source: Source
        var needs: TimelineQuery.Needs
        var meaning: String
    }

    // A class, so that keys are small: folds pass and compare them for each event.
    private final class Key: Sendable {
        let declaration: Declaration
        init(_ declaration: Declaration) { self.declaration = declaration }
    }

    private let key: Key

    private static func key(
        _ name: String,
        of owner: Owner = .touches,
        _ source: Source,
        needs: TimelineQuery.Needs = [],
        _ meaning: String
    ) -> EventGrouping {
        let key = Declaration(name: name, owner: owner, source: source, needs: needs, meaning: meaning)
        return EventGrouping(key: Key(key))
    }

    private init(key: Key) { self.key = key }

    /// Nil for a name that no key of every app has.
    init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    var rawValue: String { key.declaration.name }
    private var owner: Owner { key.declaration.owner }
    var source: Source { key.declaration.source }
    /// What `breakdown` says of its column.
    var meaning: String { key.declaration.meaning }

    // By identity, because the comparison of raw values compares names.
    static func == (first: EventGrouping, second: EventGrouping) -> Bool {
        first.key === second.key || first.property.map { $0 == second.property } ?? false
    }

    func hash(into hasher: inout Hasher) {
        if let property { hasher.combine(property) } else { hasher.combine(ObjectIdentifier(key)) }
    }

    /// Whether events of one kind can have it.
    func isAllowed(for event: FunnelEvent) -> Bool {
        switch owner {
        case .all: true
        case .touches: event.isTouch
        case .touchesAndPosts: event.isTouch || event == .feedPost
        case .installs: event == .install
        case .authentications: event == .authentication
        case .conversions: event.isConversion
        case .feedPosts: event == .feedPost
        case .invitations: false
        }
    }

    /// The keys of `--where` of every app that events of one kind can have.
    static func filterKeys(of event: FunnelEvent) -> [EventGrouping] {
        filterKeys.filter { $0.isAllowed(for: event) }
    }

    /// Whether it concerns the event that a cohort begins with. All others concern its touch.
    var isOfCohort: Bool { owner == .all || owner == .installs }

    /// Whether only installs have it.
    var isOfInstalls: Bool { owner == .installs }

    /// Whether only the tree of invitations knows it.
    var isOfInvitations: Bool { owner == .invitations }

    /// Whether only conversions have it.
    var isOfConversion: Bool { owner == .conversions }

    /// Nil for a property that is no time.
    var period: CalendarPeriod? {
        if case .period(let period) = source { period } else { nil }
    }

    /// The declared property; nil for a key of every app.
    var property: PropertyKey? {
        if case .property(let property) = source { property } else { nil }
    }

    /// Whether it is the same for every event of a person.
    var isOfPerson: Bool { property?.kind == .person }

    /// Whether a value stands for all values of a declared property that have no row of their own.
    ///
    /// - Parameter value: of ``value(of:_:)``.
    func isOthers(_ value: Int?, _ dictionary: TimelineDictionary) -> Bool {
        guard let property, let value else { return false }
        return property.isOthers(Code(rawValue: Int32(truncatingIfNeeded: value)), dictionary)
    }

    /// All values, if there are few that never change; nil for texts.
    var closedValues: [String]? {
        if case .value(let value) = source { value.shown } else { nil }
    }

    /// The text of the dictionary that the property is; nil for other properties.
    var text: TimelineText? {
        switch source {
        case .refs: .refs
        case .text(let text): text
        // Pages are numbered among the targets.
        case .page: .target
        case .property: .properties
        case .none, .period, .value: nil
        }
    }

    var isText: Bool { text != nil }

    var namedKind: NamedValue.Kind? { isText ? .key(self) : nil }

    /// Whether a value in `--where` that ends in `*` stands for all that begin with the rest.
    var hasPrefixes: Bool { text == .target }

    /// The number of a value; nil for `(none)`.
    func number(named name: String) -> Int? {
        if case .value(let value) = source { value.names.firstIndex(of: name) } else { nil }
    }

    /// The code of an event's text, for texts other than refs.
    @inline(__always)
    func code(of event: TimelineEvent, _ dictionary: TimelineDictionary) -> Code {
        switch source {
        case .text(let text): event[text]
        case .page: dictionary.page(of: event)
        case .property(let property): dictionary.property(property.place, of: event)
        case .none, .period, .value, .refs: .none
        }
    }

    /// The number or code of an event's value, for properties other than refs and times; nil if the event does not have
    /// the property.
    @inline(__always)
    func value(of event: TimelineEvent, _ dictionary: TimelineDictionary) -> Int? {
        if case .value(let value) = source { return value.number(of: event, in: dictionary.ownCurrency) }
        let code = code(of: event, dictionary)
        return code.isNone ? nil : code.index
    }

    /// The name of a value by its number or code, for properties other than times.
    func name(ofValue value: Int, _ dictionary: TimelineDictionary) -> String {
        if case .value(let kind) = source { return kind.names[value] }
        return text(of: Code(rawValue: Int32(value)), dictionary)
    }

    /// The code of a text in the dictionary; nil if no row has this name.
    func code(of text: String, _ dictionary: TimelineDictionary) -> Code? {
        if let property { return property.code(ofName: text, dictionary) }
        guard let kind = self.text else { return nil }
        return kind == .refs ? dictionary.ref(text) : dictionary.code(of: text, as: kind)
    }

    /// The text with a code of the dictionary.
    func text(of code: Code, _ dictionary: TimelineDictionary) -> String {
        if let property { return property.name(of: code, dictionary) }
        guard let kind = text else { return ReportNames.none }
        return (kind == .refs ? dictionary.refs : dictionary[kind]).text(of: code)
    }

    /// Asks for the property of events.
    fileprivate func add(to query: inout TimelineQuery) {
        query.needs.formUnion(key.declaration.needs)
        if let property { query.need(property.property, at: property.place) }
    }
}

extension TimelineEvent {
    /// Whether it is a deferred link. The link that came with an install is always one.
    @inline(__always)
    fileprivate var isDeferredLink: Bool {
        if case .install = type { channel != nil } else { deferred }
    }

    /// What an install itself says of the tap that it came from: 0 for its link, 1 for the click that it names. Later
    /// opens may tell the click of an install with a link, so the link comes first.
    @inline(__always)
    fileprivate var joinedBy: Int? {
        guard case .install = type else { return nil }
        return channel != nil ? 0 : openedClick.map { _ in 1 }
    }

    /// Whether a conversion was paid (0), free (1) or refunded (2), by the rule of `paying_people`; nil if its value is
    /// in another currency and has no rate.
    @inline(__always)
    fileprivate func saleOutcome(in own: Code) -> Int? {
        if value == 0 { return 1 }
        return currency == own ? (value > 0 ? 0 : 2) : nil
    }
}

extension TimelineQuery {
    /// Asks for the property of a grouping.
    mutating func need(_ grouping: EventGrouping) { grouping.add(to: &self) }
}
