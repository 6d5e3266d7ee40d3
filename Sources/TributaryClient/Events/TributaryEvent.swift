public import struct Foundation.Date
public import struct Foundation.UUID

/// Something that a person did, for an app's backend to send to Tributary.
///
/// ```swift
/// try events.send(.conversion("purchase", value: "9.99", currency: "EUR", by: .user("42")))
/// ```
///
/// An event keeps its ``id`` when it is sent again, so that it is stored only once.
public struct TributaryEvent: Sendable, Equatable {
    /// What happened.
    public enum Content: Sendable, Equatable {
        /// The app was opened by a link.
        case inboundLink(TributaryLink)
        /// A link to the app was clicked outside of it.
        case linkClick(TributaryLink)
        /// A dialog for posting a story ended: the person posted the story or did not.
        case feedPost(TributaryFeedPost)
        /// The app was installed. `deferredLink` is the link that led to the install, if the platform provides it.
        case install(limitAdTracking: Bool?, deferredLink: String?)
        /// The person logged in, or tried to: see ``TributaryEvent/login``.
        case authentication
        /// The person reached the goal `name`. `value` is a decimal number in `currency` (ISO 4217); give both or
        /// neither.
        case conversion(name: String, value: String?, currency: String?)
        /// The app was opened, without a link. It shows that the person is active.
        case appOpen
    }

    /// Identifies the event. Default: a new version 7 UUID (RFC 9562), which PostgreSQL stores fastest.
    public let id: UUID
    /// When it happened. Default: now.
    public var occurredAt: Date
    /// The person of the event. Only feed posts and link clicks may have ``TributaryPerson/nobody``.
    public var person: TributaryPerson
    public var platform: TributaryPlatform?
    /// The version of the app.
    public var appVersion: String?
    /// The country of the device, ISO 3166-1 alpha-2, such as `DE`.
    public var country: String?
    /// The language of the device, BCP 47, such as `de-AT`.
    public var language: String?
    /// Data of your own, at most 4 KiB as JSON.
    public var properties: [String: TributaryProperty]
    public var content: Content
    /// How the login of an ``Content/authentication`` ended. Nil: it was granted. Other events do not send it.
    public var login: TributaryLogin?
    /// What Google Play's install referrer library gave to the app of an ``Content/install``, exactly as it is, at most
    /// 2 KiB. Its `click_id` joins the click to the person. Other events do not send it.
    public var installReferrer: String?
    /// When the link to the store was tapped, as that library says. Only for an ``Content/install``.
    public var referrerClickedAt: Date?
    /// When the download began, as that library says. Only for an ``Content/install``.
    public var installBeganAt: Date?

    public init(
        _ content: Content,
        by person: TributaryPerson,
        platform: TributaryPlatform? = nil,
        properties: [String: TributaryProperty] = [:],
        occurredAt: Date = Date(),
        id: UUID? = nil
    ) {
        self.id = id ?? UUID(version7At: occurredAt)
        self.occurredAt = occurredAt
        self.person = person
        self.platform = platform
        self.properties = properties
        self.content = content
    }
}

extension TributaryEvent {
    /// The app was opened by a link. Give the link as received: Tributary reads channel, refs and target from it, and
    /// redacts every token before it stores the link.
    public static func inboundLink(_ url: String, by person: TributaryPerson) -> TributaryEvent {
        TributaryEvent(.inboundLink(TributaryLink(url: url)), by: person)
    }

    /// A link to the app was clicked outside of it.
    public static func linkClick(_ url: String, by person: TributaryPerson) -> TributaryEvent {
        TributaryEvent(.linkClick(TributaryLink(url: url)), by: person)
    }

    /// A feed dialog called back with this URL. Give it as received. For a share dialog, use ``TributaryFeedPost``.
    public static func feedPost(callbackURL: String, by person: TributaryPerson) -> TributaryEvent {
        TributaryEvent(.feedPost(TributaryFeedPost(callbackURL: callbackURL)), by: person)
    }

    public static func install(by person: TributaryPerson, deferredLink: String? = nil) -> TributaryEvent {
        TributaryEvent(.install(limitAdTracking: nil, deferredLink: deferredLink), by: person)
    }

    /// The app was installed from Google Play, which passed on this text. If it holds a `click_id`, that is enough to
    /// know the person.
    public static func install(
        by person: TributaryPerson,
        deferredLink: String? = nil,
        installReferrer: String
    ) -> TributaryEvent {
        var event = install(by: person, deferredLink: deferredLink)
        event.installReferrer = installReferrer
        return event
    }

    /// The person logged in.
    public static func authentication(by person: TributaryPerson) -> TributaryEvent {
        TributaryEvent(.authentication, by: person)
    }

    /// A login ended, whatever its outcome.
    public static func authentication(_ login: TributaryLogin, by person: TributaryPerson) -> TributaryEvent {
        var event = TributaryEvent(.authentication, by: person)
        event.login = login
        return event
    }

    public static func conversion(
        _ name: String,
        value: String? = nil,
        currency: String? = nil,
        by person: TributaryPerson
    ) -> TributaryEvent {
        TributaryEvent(.conversion(name: name, value: value, currency: currency), by: person)
    }

    /// The person opened the app, without a link.
    public static func appOpen(by person: TributaryPerson) -> TributaryEvent {
        TributaryEvent(.appOpen, by: person)
    }
}
