package import Events
import InboundLinks
package import Time

/// One person's events in time order, and what every report derives from them: which installs count, and when each
/// touch happened.
///
/// A source reuses one value for all people, so its buffers are allocated once.
package struct PersonTimeline {
    /// A deferred link is delivered at first launch: its install is at most this much earlier.
    package static let deferredWindow = Duration.seconds(86_400)
    /// A later install within this time after the last counted one is a re-install and does not count. The end is
    /// included.
    private static let reinstallMicroseconds: Int64 = 90 * 86_400_000_000
    private static let deferredMicroseconds: Int64 = 86_400_000_000
    /// How long after a click on a short link an open of the app may come from it.
    package static let clickWindow = Duration.seconds(7 * 86_400)
    /// How long before its click such an open may seem to lie, because clocks differ.
    package static let clickTolerance = Duration.seconds(3_600)

    /// How long after a click on a short link its id may come back. Google Play passes it on for as long.
    package static let returnWindow = Duration.seconds(90 * 86_400)

    /// False for an anonymous event, which carries no id. It is then the only event.
    package private(set) var isPerson = true
    /// The person: `u`, `d` or `c`, then the id of the user, the device or the click (`sql/reports/timelines.sql`).
    /// Empty for an anonymous event, and if the source does not tell.
    package private(set) var key: [UInt8] = []
    /// Ordered by (time, event id).
    package private(set) var events: [TimelineEvent] = []
    /// Positions in `events` of the installs that count, in time order.
    package private(set) var countedInstalls: [Int] = []
    /// Ordered by (t, event id).
    package private(set) var touches: [TimelineTouch] = []
    /// The clicks that events name, and when.
    package private(set) var returns: [(click: EventID, time: Timestamp)] = []
    /// Whether an inbound link names a click.
    private var hasOpens = false
    /// Whether a link itself says when it was tapped.
    private var hasTaps = false
    /// Whether an event has a declared property.
    private var hasProperties = false
    /// Whether an event has a value.
    private var hasValues = false

    /// Starts another person, and keeps the buffers.
    ///
    /// - Parameter key: nil for an anonymous event.
    package mutating func begin(key: UnsafeRawBufferPointer?) {
        begin(isPerson: key != nil)
        if let key { self.key.append(contentsOf: key) }
    }

    /// The same for a source that does not tell the person's key.
    package mutating func begin(isPerson: Bool) {
        self.isPerson = isPerson
        // Emptying an empty array costs as much as the rest of this method.
        if !key.isEmpty { key.removeAll(keepingCapacity: true) }
        if !events.isEmpty { events.removeAll(keepingCapacity: true) }
        if !countedInstalls.isEmpty { countedInstalls.removeAll(keepingCapacity: true) }
        if !touches.isEmpty { touches.removeAll(keepingCapacity: true) }
        if !returns.isEmpty { returns.removeAll(keepingCapacity: true) }
        hasOpens = false
        hasTaps = false
        hasProperties = false
        hasValues = false
    }

    package mutating func append(_ event: TimelineEvent) {
        events.append(event)
        if event.tappedTarget != nil { hasTaps = true }
        if let click = event.openedClick {
            returns.append((click, event.occurredAt))
            if event.channel != nil { hasOpens = true }
        }
        if !event.properties.isNone { hasProperties = true }
        if !event.currency.isNone { hasValues = true }
    }

    /// Whether the person has so many events that folds must look whether they are still wanted: what they do for each
    /// event may take as long as there are touches.
    package var isLong: Bool { events.count > 4_096 }

    /// After a fold that may have stopped within a long person.
    package func checkCancellation() throws {
        if isLong { try Task.checkCancellation() }
    }

    /// Sorts the events and derives installs and touches. Call it once, after the last event; events may come in any
    /// order.
    ///
    /// - Parameter dictionary: that of the events, if their properties or values matter.
    mutating func finish(_ dictionary: TimelineDictionary? = nil) {
        func isOrdered(_ first: TimelineEvent, _ second: TimelineEvent) -> Bool {
            first.occurredAt == second.occurredAt ? first.id < second.id : first.occurredAt < second.occurredAt
        }
        events.sortFew(by: isOrdered)
        if hasProperties { dictionary?.shareProperties(among: &events) }
        if hasValues { dictionary?.convertValues(of: &events) }
        // Anonymous installs do not count.
        if isPerson { deriveCountedInstalls() }
        deriveTouches()
    }

    private mutating func deriveCountedInstalls() {
        var last: Timestamp?
        for position in events.indices {
            // A pattern, not "==", because "==" of another module's enum is looked up at each use.
            guard case .install = events[position].type else { continue }
            let time = events[position].occurredAt
            if let last, time <= last.advanced(byMicroseconds: Self.reinstallMicroseconds) { continue }
            last = time
            countedInstalls.append(position)
        }
    }

    private mutating func deriveTouches() {
        for position in events.indices {
            guard let channel = events[position].channel else { continue }
            let event = events[position]
            var isDeferred = event.deferred
            var isLinkClick = false
            switch event.type {
            case .install: isDeferred = true
            case .linkClick: isLinkClick = true
            default: break
            }
            touches.append(
                TimelineTouch(
                    time: isDeferred ? deferredTime(of: event) : event.occurredAt,
                    id: event.id,
                    event: position,
                    channel: channel,
                    refs: event.refs,
                    isLinkClick: isLinkClick,
                    isDeferred: isDeferred,
                    isTimeInferred: isDeferred && event.clickedAt == nil,
                    isAuthenticated: event.authenticated
                )
            )
        }
        if hasTaps, isPerson { joinOpens() }
        if hasOpens, isPerson { joinClicks() }
        func isOrdered(_ first: TimelineTouch, _ second: TimelineTouch) -> Bool {
            first.time == second.time ? first.id < second.id : first.time < second.time
        }
        touches.sortFew(by: isOrdered)
    }

    /// Makes the opens that tell of one tap one touch: the earliest (docs/reports.md, *Words*). Apps hand the same link
    /// over at each launch. The touches are still in the order of their events.
    private mutating func joinOpens() {
        struct Tap: Hashable {
            var time: Timestamp
            var target: Int64
        }
        /// The positions in `events` of the earliest opens.
        var earliest: [Tap: Int] = [:]
        var repeated: Set<Int> = []
        for touch in touches where !touch.isLinkClick {
            let open = events[touch.event]
            guard let time = open.clickedAt, let target = open.tappedTarget else { continue }
            let tap = Tap(time: time, target: target)
            guard let first = earliest[tap] else {
                earliest[tap] = touch.event
                continue
            }
            repeated.insert(touch.event)
            // The app may learn the click's id after the first launch. A report reads the later ones only if the tap
            // lies in its range.
            if events[first].openedClick == nil, time <= events[first].occurredAt {
                events[first].openedClick = open.openedClick
            }
        }
        if !repeated.isEmpty { touches.removeAll { repeated.contains($0.event) } }
    }

    /// Makes each click on a short link and the opens of the app that name it one touch (docs/redirects.md, *One
    /// touch*): the earliest open at the click's time. What the open does not say, it takes from the click.
    private mutating func joinClicks() {
        var clicks: [EventID: Int] = [:]
        for (position, touch) in touches.enumerated() where touch.isLinkClick && !touch.isDeferred {
            if events[touch.event].hasShortLink { clicks[touch.id] = position }
        }
        guard !clicks.isEmpty else { return }
        /// The earliest open of each click, by the positions of both in `touches`.
        var earliest: [Int: Int] = [:]
        var isMerged = [Bool](repeating: false, count: touches.count)
        for (position, touch) in touches.enumerated() where !touch.isLinkClick {
            let open = events[touch.event]
            guard let click = open.openedClick.flatMap({ clicks[$0] }) else { continue }
            let time = touches[click].time
            let told = open.toldTime
            guard time.advanced(by: .zero - Self.clickTolerance) <= told,
                told <= time.advanced(by: Self.clickWindow)
            else { continue }
            isMerged[position] = true
            guard let other = earliest[click] else {
                earliest[click] = position
                continue
            }
            let first = events[touches[other].event].toldTime
            if told == first ? touch.id < touches[other].id : told < first { earliest[click] = position }
        }
        guard !earliest.isEmpty else { return }
        for (click, open) in earliest {
            isMerged[click] = true
            isMerged[open] = false
            touches[open].time = touches[click].time
            touches[open].isTimeInferred = false
            touches[open].click = touches[click].event
            complete(touches[open].event, from: touches[click].event)
            touches[open].refs = events[touches[open].event].refs
            touches[open].channel = events[touches[open].event].channel ?? touches[open].channel
        }
        var position = 0
        touches.removeAll { _ in
            defer { position += 1 }
            return isMerged[position]
        }
    }

    /// Fills in what an open does not say.
    private mutating func complete(_ open: Int, from click: Int) {
        let click = events[click]
        if case .unattributed? = events[open].channel { events[open].channel = click.channel }
        if events[open].refs.isNone {
            events[open].refs = click.refs
            events[open].refOrigin = click.refOrigin
        }
        if events[open].storyPost.isNone { events[open].storyPost = click.storyPost }
        if events[open].referer.isNone { events[open].referer = click.referer }
        if events[open].target.isNone { events[open].target = click.target }
        events[open].clickTarget = click.target
        if !events[open].hasShortLink {
            events[open].hasShortLink = true
            events[open].shortLink = click.shortLink
        }
    }

    /// When a deferred link was tapped: as the link itself says, but not after its arrival; else at the person's latest
    /// counted install of the 24 hours before its arrival; else at its arrival.
    private func deferredTime(of event: TimelineEvent) -> Timestamp {
        if let clickedAt = event.clickedAt { return min(clickedAt, event.occurredAt) }
        for position in countedInstalls.reversed() {
            let install = events[position].occurredAt
            if install > event.occurredAt { continue }
            if event.occurredAt <= install.advanced(byMicroseconds: Self.deferredMicroseconds) { return install }
            break
        }
        return event.occurredAt
    }
}

extension TimelineEvent {
    /// When an open of the app happened, as it tells itself: other events do not change it.
    fileprivate var toldTime: Timestamp {
        var isDeferred = deferred
        if case .install = type { isDeferred = true }
        return isDeferred ? min(clickedAt ?? occurredAt, occurredAt) : occurredAt
    }
}

extension Array {
    /// Sorts an array that usually is short, and sorted or made of few sorted pieces.
    @inline(__always)
    mutating func sortFew(by areInIncreasingOrder: (Element, Element) -> Bool) {
        guard count > 1 else { return }
        guard count <= 24 else { return sort(by: areInIncreasingOrder) }
        withUnsafeMutableBufferPointer { elements in
            for end in 1..<elements.count where areInIncreasingOrder(elements[end], elements[end - 1]) {
                let element = elements[end]
                var position = end
                repeat {
                    elements[position] = elements[position - 1]
                    position -= 1
                } while position > 0 && areInIncreasingOrder(element, elements[position - 1])
                elements[position] = element
            }
        }
    }
}
