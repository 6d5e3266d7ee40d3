import Events
import InboundLinks
import Time

extension Oracle {
    /// The person that an event belongs to. The same text as a user and as a device is two people.
    enum Person: Hashable {
        case user(Name)
        case device(Name)
        case click(Name)

        var name: Name {
            switch self {
            case .user(let name), .device(let name), .click(let name): name
            }
        }
    }

    /// One thing that happened. An event is one fact, except an install that came with its link: this is an install and
    /// a touch.
    struct Fact {
        enum Kind {
            case touch(TouchFact)
            case feedPost(FeedPost)
            /// Counted: the first, or more than 90 days after the last counted one.
            case install(isCounted: Bool)
            /// docs/reports.md, *Words*: only a granted one authenticates.
            case authentication(Login)
            case conversion(Conversion)
            case appOpen
        }

        /// The fact's position. It identifies the fact, because two facts may share an event id.
        var number: Int
        var eventID: EventID
        /// For a touch, its t; for others, `occurred_at`.
        var time: Timestamp
        /// Nil for an event without any id, which belongs to nobody.
        var person: Person?
        var kind: Kind
        /// The event's platform.
        var platform: Platform?
        var appVersion: String?
        var country: String?
        var language: String?
        var sentBy: EventSender
        /// An install whose referrer was injected.
        var isInjected = false
        /// What an install itself says of its tap: its link, or the click that it names.
        var joinedBy: String?
        /// The names of its rows by declared properties.
        var properties: [Grouping: Name] = [:]
        /// "Nobody knows its time": a touch whose link is deferred and does not say when it was tapped.
        var hasInferredTime: Bool {
            touch.map { $0.isDeferred && !$0.tellsTime && !$0.isJoined } ?? false
        }
        /// Of a conversion: whether its value in the app's currency is above 0, 0 or below. Nil for values in others.
        var saleOutcome: String?
        /// For an install that came with its link, that link, though the install is not the touch.
        var installLink: TouchFact?

        /// The link that the event is or came with: it has the channel, the refs and so on.
        var link: TouchFact? { touch ?? installLink }

        var touch: TouchFact? {
            if case .touch(let touch) = kind { touch } else { nil }
        }

        var feedPost: FeedPost? {
            if case .feedPost(let post) = kind { post } else { nil }
        }

        var conversion: Conversion? {
            if case .conversion(let conversion) = kind { conversion } else { nil }
        }

        var login: Login? {
            if case .authentication(let login) = kind { login } else { nil }
        }

        var isCountedInstall: Bool {
            if case .install(isCounted: true) = kind { true } else { false }
        }

        /// docs/reports.md, *Words*: never a `link_click`, whatever its flag says.
        var isAuthenticatedInboundLink: Bool {
            touch.map { $0.isInboundLink && $0.isAuthenticated } ?? false
        }
    }

    /// What reports read of a touch. Its refs are those after the story join.
    struct TouchFact {
        /// An `inbound_link`, or the deferred link of an install; else a `link_click`.
        var isInboundLink: Bool
        /// Counts as a click, alone or with the open that it led to.
        var isClick: Bool { !isInboundLink || isJoined }
        /// An open of the app at the time of the click on a short link that it came from.
        var isJoined = false
        /// The click that an open names.
        var openedClick: EventID?
        /// The tap that an open tells of, if the link itself says when it was.
        var tap: Tap?
        /// When the event arrived with it.
        var occurredAt: Timestamp
        /// When an open happened, as it tells itself.
        var toldTime: Timestamp
        var isDeferred: Bool
        /// Says when it was tapped.
        var tellsTime: Bool
        var isAuthenticated: Bool
        var isPaid: Bool
        var form: InboundLink.Form
        var channel: Channel
        var refs: [Name]
        /// What named them.
        var refFrom: Name
        var refererApp: Name?
        var platform: Platform?
        var targetURL: Name?
        /// The target that its page is: of an open that came from a click, the click's.
        var pageTarget: Name?
        var shortLink: Name?
        /// The event of the post that it came from.
        var post: Event?
    }
}
