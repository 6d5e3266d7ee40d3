package import Events
package import InboundLinks
import Time

/// The part of a packed event that every report reads, in 8 bytes: the time within the month in microseconds, above 22
/// bits for type, platform, channel and so on.
struct EventWord {
    private(set) var rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private static let timeShift: UInt64 = 22
    private static let typeShift: UInt64 = 19
    private static let platformShift: UInt64 = 16
    private static let channelShift: UInt64 = 13
    private static let outcomeShift: UInt64 = 10
    private static let composerShift: UInt64 = 7
    /// A touch has its form where other events have their outcome.
    private static let formShift = outcomeShift
    private static let paidBit: UInt64 = 1 << composerShift
    /// Flags that any event may have. A touch has them in the rest of the composer's field, another event where touches
    /// have theirs.
    private static let touchFromAppBit: UInt64 = 1 << (composerShift + 1)
    private static let injectedTouchBit: UInt64 = 1 << (composerShift + 2)
    private static let fromAppBit = authenticatedBit
    private static let injectedBit = deferredBit
    private static let authenticatedBit: UInt64 = 1 << 6
    private static let deferredBit: UInt64 = 1 << 5
    private static let clickedBit: UInt64 = 1 << 4
    private static let refsBit: UInt64 = 1 << 3
    private static let storyBit: UInt64 = 1 << 2
    private static let openedClickBit: UInt64 = 1 << 1
    private static let linkBit: UInt64 = 1

    /// - Parameter month: the start of the event's month, UTC, in microseconds since 1970.
    init(_ event: TimelineEvent, month: Int64, hasStory: Bool) {
        var word = UInt64(bitPattern: event.occurredAt.microseconds - month) << Self.timeShift
        word |= UInt64(event.type.position) << Self.typeShift
        word |= UInt64(event.platform.map { $0.position + 1 } ?? 0) << Self.platformShift
        word |= UInt64(event.channel.map { $0.position + 1 } ?? 0) << Self.channelShift
        if event.channel != nil {
            word |= UInt64(event.form.map { $0.position + 1 } ?? 0) << Self.formShift
            if event.paid { word |= Self.paidBit }
            if event.authenticated { word |= Self.authenticatedBit }
            if event.deferred { word |= Self.deferredBit }
            if event.sentBy == .app { word |= Self.touchFromAppBit }
            if event.isInjected { word |= Self.injectedTouchBit }
        } else {
            word |= UInt64(event.outcome.map { $0.position + 1 } ?? event.login.outcomeField) << Self.outcomeShift
            word |= UInt64(event.composer.map { $0.position + 1 } ?? 0) << Self.composerShift
            if event.sentBy == .app { word |= Self.fromAppBit }
            if event.isInjected { word |= Self.injectedBit }
        }
        if event.clickedAt != nil { word |= Self.clickedBit }
        if !event.refs.isNone { word |= Self.refsBit }
        if hasStory { word |= Self.storyBit }
        if event.openedClick != nil { word |= Self.openedClickBit }
        if event.hasShortLink { word |= Self.linkBit }
        rawValue = word
    }

    /// The event as far as the word describes it, without its id.
    @inline(__always)
    func event(month: Int64) -> TimelineEvent {
        var event = TimelineEvent(
            occurredAt: Timestamp(microseconds: month + Int64(rawValue >> Self.timeShift)),
            id: EventID(high: 0, low: 0),
            type: type
        )
        event.platform = Platform(position: field(Self.platformShift) - 1)
        event.channel = Channel(position: field(Self.channelShift) - 1)
        if isTouch {
            event.form = InboundLink.Form(position: field(Self.formShift) - 1)
            event.paid = rawValue & Self.paidBit != 0
            event.authenticated = rawValue & Self.authenticatedBit != 0
            event.deferred = rawValue & Self.deferredBit != 0
            if rawValue & Self.touchFromAppBit != 0 { event.sentBy = .app }
            event.isInjected = rawValue & Self.injectedTouchBit != 0
        } else {
            event.outcome = PostOutcome(position: field(Self.outcomeShift) - 1)
            event.login = LoginOutcome(outcomeField: field(Self.outcomeShift))
            event.composer = Composer(position: field(Self.composerShift) - 1)
            if rawValue & Self.fromAppBit != 0 { event.sentBy = .app }
            event.isInjected = rawValue & Self.injectedBit != 0
        }
        event.hasShortLink = hasLink
        return event
    }

    @inline(__always)
    private func field(_ shift: UInt64) -> Int { Int(rawValue >> shift & 7) }

    @inline(__always)
    var typePosition: Int { field(Self.typeShift) }
    @inline(__always)
    private var type: EventType { EventType(position: typePosition) }

    /// The events that have a value in some columns.
    struct Holders {
        /// Events with one of these flags.
        fileprivate(set) var flags: UInt64 = 0
        fileprivate(set) var hasTouches = false
        fileprivate(set) var hasConversions = false
        fileprivate(set) var hasAll = false

        static let all = Holders(hasAll: true)
        static let clicked = Holders(flags: clickedBit)
        static let withRefs = Holders(flags: refsBit)
        static let withStory = Holders(flags: storyBit)
        static let withOpenedClick = Holders(flags: openedClickBit)
        static let withLink = Holders(flags: linkBit)
        static let touches = Holders(hasTouches: true)
        static let conversions = Holders(hasConversions: true)

        mutating func formUnion(_ other: Holders) {
            flags |= other.flags
            hasTouches = hasTouches || other.hasTouches
            hasConversions = hasConversions || other.hasConversions
            hasAll = hasAll || other.hasAll
        }
    }

    /// Whether the event is one of these.
    @inline(__always)
    func isAmong(_ holders: Holders) -> Bool {
        rawValue & holders.flags != 0 || holders.hasTouches && isTouch || holders.hasConversions && isConversion
            || holders.hasAll
    }

    var isTouch: Bool { field(Self.channelShift) != 0 }
    var isClicked: Bool { rawValue & Self.clickedBit != 0 }
    var hasStory: Bool { rawValue & Self.storyBit != 0 }
    var hasOpenedClick: Bool { rawValue & Self.openedClickBit != 0 }
    /// Whether the touch came through a short link. Segments that were written before there were short links have a 0.
    var hasLink: Bool { rawValue & Self.linkBit != 0 }
    var isConversion: Bool { typePosition == EventType.conversion.position }
}

// Positions are stored: they never change, and new values come at the end.

extension EventType {
    package var position: Int {
        switch self {
        case .inboundLink: 0
        case .feedPost: 1
        case .linkClick: 2
        case .install: 3
        case .authentication: 4
        case .conversion: 5
        case .appOpen: 6
        }
    }

    @inline(__always)
    init(position: Int) {
        switch position {
        case 0: self = .inboundLink
        case 1: self = .feedPost
        case 2: self = .linkClick
        case 3: self = .install
        case 4: self = .authentication
        case 5: self = .conversion
        default: self = .appOpen
        }
    }
}

extension PostOutcome {
    package var position: Int {
        switch self {
        case .posted: 0
        case .cancelled: 1
        case .failed: 2
        case .unconfirmed: 3
        }
    }

    @inline(__always)
    init?(position: Int) {
        switch position {
        case 0: self = .posted
        case 1: self = .cancelled
        case 2: self = .failed
        case 3: self = .unconfirmed
        default: return nil
        }
    }
}

/// Posts and logins share the field of the outcome. Segments that were written before logins had outcomes have a 0
/// there, which is a granted login.
extension LoginOutcome {
    fileprivate var outcomeField: Int {
        switch self {
        case .granted: 0
        case .cancelled: 5
        case .denied: 6
        case .failed: 7
        }
    }

    @inline(__always)
    fileprivate init(outcomeField: Int) {
        switch outcomeField {
        case 5: self = .cancelled
        case 6: self = .denied
        case 7: self = .failed
        default: self = .granted
        }
    }
}

extension Platform {
    @inline(__always)
    init?(position: Int) {
        switch position {
        case 0: self = .ios
        case 1: self = .android
        case 2: self = .web
        case 3: self = .desktop
        default: return nil
        }
    }
}

extension Channel {
    @inline(__always)
    init?(position: Int) {
        switch position {
        case 0: self = .search
        case 1: self = .bookmarks
        case 2: self = .requests
        case 3: self = .storyAttribution
        case 4: self = .storyLinks
        case 5: self = .other
        case 6: self = .unattributed
        default: return nil
        }
    }
}

extension Composer {
    @inline(__always)
    init?(position: Int) {
        switch position {
        case 0: self = .feedDialog
        case 1: self = .shareDialog
        case 2: self = .openGraph
        case 3: self = .stories
        case 4: self = .requestDialog
        default: return nil
        }
    }
}

extension InboundLink.Form {
    package var position: Int {
        switch self {
        case .legacyAuthorize: 0
        case .appLink: 1
        case .applinkArgs: 2
        case .plain: 3
        }
    }

    @inline(__always)
    init?(position: Int) {
        switch position {
        case 0: self = .legacyAuthorize
        case 1: self = .appLink
        case 2: self = .applinkArgs
        case 3: self = .plain
        default: return nil
        }
    }
}
