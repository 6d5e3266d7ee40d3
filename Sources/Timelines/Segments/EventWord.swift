import Events
import InboundLinks
import Time

/// The part of a packed event that every report reads, in 8 bytes: the time within the month in microseconds, above 22
/// bits for type, platform, channel and so on.
struct EventWord {
    private(set) var rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Bits that keep a value of an enum: its position and 1, or 0 for none.
    private struct Field<Value: PackedEnum> {
        let shift: UInt64
        var end: UInt64 { shift + EventWord.fieldWidth }

        @inline(__always)
        func bits(of value: Value?) -> UInt64 { UInt64(value.map { $0.position + 1 } ?? 0) << shift }
        @inline(__always)
        func value(in word: UInt64) -> Value? { Value(position: number(in: word) - 1) }
        @inline(__always)
        func number(in word: UInt64) -> Int { Int(word >> shift & EventWord.highestNumber) }
    }

    /// How many bits a field has. Above each lies the next.
    private static let fieldWidth: UInt64 = 3
    static let highestNumber: UInt64 = 1 << fieldWidth - 1

    private static let composer = Field<Composer>(shift: 7)
    private static let outcome = Field<PostOutcome>(shift: composer.end)
    /// A touch has its form where other events have their outcome.
    private static let form = Field<InboundLink.Form>(shift: composer.end)
    private static let channel = Field<Channel>(shift: outcome.end)
    private static let platform = Field<Platform>(shift: channel.end)
    /// Every event has a type, so this field keeps its position alone.
    private static let type = Field<EventType>(shift: platform.end)
    private static let timeShift = type.end
    private static let paidBit: UInt64 = 1 << composer.shift
    /// Flags that any event may have. A touch has them in the rest of the composer's field, another event where touches
    /// have theirs.
    private static let touchFromAppBit: UInt64 = 1 << (composer.shift + 1)
    private static let injectedTouchBit: UInt64 = 1 << (composer.shift + 2)
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
        word |= UInt64(event.type.position) << Self.type.shift
        word |= Self.platform.bits(of: event.platform)
        word |= Self.channel.bits(of: event.channel)
        if event.channel != nil {
            word |= Self.form.bits(of: event.form)
            if event.paid { word |= Self.paidBit }
            if event.authenticated { word |= Self.authenticatedBit }
            if event.deferred { word |= Self.deferredBit }
            if event.sentBy == .app { word |= Self.touchFromAppBit }
            if event.isInjected { word |= Self.injectedTouchBit }
        } else {
            let login = event.outcome == nil ? UInt64(event.login.outcomeNumber) : 0
            word |= Self.outcome.bits(of: event.outcome) | login << Self.outcome.shift
            word |= Self.composer.bits(of: event.composer)
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

    /// Makes an event what the word describes, without an id.
    @inline(__always)
    func read(into event: inout TimelineEvent, month: Int64) {
        event = TimelineEvent(
            occurredAt: Timestamp(microseconds: month + Int64(rawValue >> Self.timeShift)),
            id: EventID(high: 0, low: 0),
            type: type
        )
        event.platform = Self.platform.value(in: rawValue)
        event.channel = Self.channel.value(in: rawValue)
        if isTouch {
            event.form = Self.form.value(in: rawValue)
            event.paid = rawValue & Self.paidBit != 0
            event.authenticated = rawValue & Self.authenticatedBit != 0
            event.deferred = rawValue & Self.deferredBit != 0
            if rawValue & Self.touchFromAppBit != 0 { event.sentBy = .app }
            event.isInjected = rawValue & Self.injectedTouchBit != 0
        } else {
            event.outcome = Self.outcome.value(in: rawValue)
            event.login = LoginOutcome(outcomeNumber: Self.outcome.number(in: rawValue))
            event.composer = Self.composer.value(in: rawValue)
            if rawValue & Self.fromAppBit != 0 { event.sentBy = .app }
            event.isInjected = rawValue & Self.injectedBit != 0
        }
        event.hasShortLink = hasLink
    }

    @inline(__always)
    var typePosition: Int { Self.type.number(in: rawValue) }
    @inline(__always)
    private var type: EventType { EventType(position: typePosition) ?? .last }

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
        /// Touches with refs, or with a story that may give them some; and posts with refs.
        static let withRefOrigin = Holders(flags: refsBit | storyBit)
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

    var isTouch: Bool { Self.channel.number(in: rawValue) != 0 }
    var isClicked: Bool { rawValue & Self.clickedBit != 0 }
    var hasStory: Bool { rawValue & Self.storyBit != 0 }
    var hasRefOrigin: Bool { isTouch && isAmong(.withRefOrigin) }
    var hasOpenedClick: Bool { rawValue & Self.openedClickBit != 0 }
    /// Whether the touch came through a short link. Segments that were written before there were short links have a 0.
    var hasLink: Bool { rawValue & Self.linkBit != 0 }
    var isConversion: Bool { typePosition == EventType.conversion.position }
}

/// Posts and logins share the field of the outcome: the numbers of logins are those that posts do not use. Segments
/// that were written before logins had outcomes have a 0 there, which is a granted login.
extension LoginOutcome {
    var outcomeNumber: Int {
        switch self {
        case .granted: 0
        case .cancelled: 5
        case .denied: 6
        case .failed: 7
        }
    }

    @inline(__always)
    fileprivate init(outcomeNumber: Int) {
        switch outcomeNumber {
        case 5: self = .cancelled
        case 6: self = .denied
        case 7: self = .failed
        default: self = .granted
        }
    }
}
