import Events
import Time
import Timelines

/// Something that happened to a person and matters to a funnel. An install that came with its link is two facts, the
/// install and the touch; each may serve a step of its own.
struct FunnelFact {
    /// Microseconds since 1970, as in `Timestamp`. For a touch, its time t.
    var time: Int64
    /// Position in `PersonTimeline.events`.
    var event: Int32
    /// Bit k is set if the fact serves step k, from 0.
    var steps: UInt8
    /// Bit k is set if the fact may serve both step k and step k + 1: an authenticated inbound link serves step k as a
    /// link, and step k + 1 as an `authentication`.
    var doubles: UInt8 = 0
    /// Whether nobody knows its time: a touch whose time is inferred.
    var isTimeInferred = false
    /// Whether the fact cuts chains.
    var isExcluded = false

    /// Orders facts by time. Facts of one instant that serve the same steps come together.
    static func precedes(_ first: FunnelFact, _ second: FunnelFact) -> Bool {
        guard first.time == second.time else { return first.time < second.time }
        return first.steps == second.steps ? first.doubles < second.doubles : first.steps < second.steps
    }
}

/// Turns a person's timeline into the facts that a funnel needs.
struct FunnelFacts {
    /// Which facts the chains need.
    enum Scope {
        /// Facts that serve a step.
        case steps
        /// Also facts that cut chains.
        case stepsAndExclusions
        /// Facts of all events.
        case everything
        /// As `stepsAndExclusions`, but an authenticated inbound link is two facts, the link and the authentication: in
        /// the order `any`, each may serve a step.
        case splitLinks
    }

    private let scope: Scope
    private let steps: FunnelMasks
    private let exclusions: FunnelMasks
    private let startsWithTouch: Bool
    /// The person's facts, ordered by `FunnelFact.precedes`.
    private(set) var facts: [FunnelFact] = []
    /// Whether the time of any of them is inferred.
    private(set) var hasInferredTimes = false

    init(_ funnel: Funnel, dictionary: TimelineDictionary) {
        scope =
            switch funnel.order {
            case .any: .splitLinks
            case .strict: .everything
            case .sequential: funnel.exclusions.isEmpty ? .steps : .stepsAndExclusions
            }
        steps = FunnelMasks(funnel.steps.map(\.alternatives), dictionary: dictionary)
        exclusions = FunnelMasks([funnel.exclusions], dictionary: dictionary)
        startsWithTouch = funnel.order != .any && steps.isOfTouchesOnly(list: 0)
    }

    /// The facts that serve any of up to 8 steps, in whatever order.
    init(serving steps: [FunnelStep], dictionary: TimelineDictionary) {
        scope = .steps
        self.steps = FunnelMasks(steps.map(\.alternatives), dictionary: dictionary)
        exclusions = FunnelMasks([], dictionary: dictionary)
        startsWithTouch = false
    }

    /// Reads a person whose facts all matter.
    mutating func load(_ person: borrowing PersonTimeline) {
        facts.removeAll(keepingCapacity: true)
        loadSteps(person)
    }

    /// Reads a person.
    ///
    /// - Returns: false, with no facts, if the touches alone show that nothing starts in the range.
    mutating func load(_ person: borrowing PersonTimeline, startingIn range: ReportRange) -> Bool {
        facts.removeAll(keepingCapacity: true)
        hasInferredTimes = false
        if startsWithTouch {
            let hasStart = person.touches.contains {
                range.contains($0.time) && steps.asLink($0, person.events[$0.event]) & 1 != 0
            }
            guard hasStart else { return false }
        }
        if scope == .steps {
            loadSteps(person)
        } else {
            loadAll(person)
            facts.sort(by: FunnelFact.precedes)
        }
        return true
    }

    /// Merges the touches with the other events. Both are in order.
    ///
    /// This runs for every event of every funnel, so it uses buffers: subscripts of arrays in structs count references.
    private mutating func loadSteps(_ person: borrowing PersonTimeline) {
        var hasTies = false
        person.touches.withUnsafeBufferPointer { touches in
            person.events.withUnsafeBufferPointer { events in
                person.countedInstalls.withUnsafeBufferPointer { installs in
                    hasTies = merge(touches, events, installs: installs)
                }
            }
        }
        if hasTies { orderTies() }
    }

    /// - Returns: whether some facts share an instant.
    private mutating func merge(
        _ touches: UnsafeBufferPointer<TimelineTouch>,
        _ events: UnsafeBufferPointer<TimelineEvent>,
        installs: UnsafeBufferPointer<Int>
    ) -> Bool {
        var (touch, event, install) = (0, 0, 0)
        var hasTies = false
        var last = Int64.min
        while true {
            var link: UInt8 = 0
            var authentication: UInt8 = 0
            while touch < touches.count {
                link = steps.asLink(touches[touch], events[touches[touch].event])
                authentication = steps.asAuthentication(touches[touch], events[touches[touch].event])
                if link | authentication != 0 { break }
                touch += 1
            }
            var others: UInt8 = 0
            while event < events.count {
                others = steps.of(events[event])
                if others != 0 {
                    // A pattern, not "==", because "==" of another module's enum is looked up at each use.
                    guard case .install = events[event].type else { break }
                    while install < installs.count, installs[install] < event { install += 1 }
                    if install < installs.count, installs[install] == event { break }
                }
                event += 1
            }
            let fact: FunnelFact
            if touch < touches.count, event >= events.count || touches[touch].time <= events[event].occurredAt {
                fact = FunnelFact(
                    time: touches[touch].time.microseconds,
                    event: Int32(truncatingIfNeeded: touches[touch].event),
                    steps: link | authentication,
                    doubles: link & (authentication >> 1),
                    isTimeInferred: touches[touch].isTimeInferred
                )
                if touches[touch].isTimeInferred { hasInferredTimes = true }
                touch += 1
            } else if event < events.count {
                fact = FunnelFact(
                    time: events[event].occurredAt.microseconds,
                    event: Int32(truncatingIfNeeded: event),
                    steps: others
                )
                event += 1
            } else {
                return hasTies
            }
            if fact.time == last { hasTies = true }
            last = fact.time
            facts.append(fact)
        }
    }

    /// Orders the facts of each instant. They are already in the order of time.
    private mutating func orderTies() {
        var begin = 0
        while begin < facts.count {
            var end = begin + 1
            while end < facts.count, facts[end].time == facts[begin].time { end += 1 }
            if end - begin > 1 { facts[begin..<end].sort(by: FunnelFact.precedes) }
            begin = end
        }
    }

    private mutating func loadAll(_ person: borrowing PersonTimeline) {
        for touch in person.touches {
            let event = person.events[touch.event]
            let link = steps.asLink(touch, event)
            let authentication = steps.asAuthentication(touch, event)
            let isExcluded = (exclusions.asLink(touch, event) | exclusions.asAuthentication(touch, event)) != 0
            if scope == .splitLinks {
                append(
                    touch.time,
                    touch.event,
                    steps: link,
                    isExcluded: isExcluded,
                    isTimeInferred: touch.isTimeInferred
                )
                append(
                    touch.time,
                    touch.event,
                    steps: authentication,
                    isExcluded: isExcluded,
                    isTimeInferred: touch.isTimeInferred
                )
            } else {
                append(
                    touch.time,
                    touch.event,
                    steps: link | authentication,
                    doubles: link & (authentication >> 1),
                    isExcluded: isExcluded,
                    isTimeInferred: touch.isTimeInferred
                )
            }
        }
        var counted = person.countedInstalls[...]
        for position in person.events.indices {
            let event = person.events[position]
            // A re-install is an event, but does not count as an install.
            var counts = true
            switch event.type {
            case .inboundLink, .linkClick: continue
            case .install:
                counts = counted.first == position
                if counts { counted.removeFirst() }
            default: break
            }
            append(
                event.occurredAt,
                position,
                steps: counts ? steps.of(event) : 0,
                isExcluded: counts && exclusions.of(event) != 0
            )
        }
    }

    private mutating func append(
        _ time: Timestamp,
        _ event: Int,
        steps: UInt8,
        doubles: UInt8 = 0,
        isExcluded: Bool,
        isTimeInferred: Bool = false
    ) {
        guard steps != 0 || isExcluded || scope == .everything else { return }
        if isTimeInferred { hasInferredTimes = true }
        facts.append(
            FunnelFact(
                time: time.microseconds,
                event: Int32(truncatingIfNeeded: event),
                steps: steps,
                doubles: doubles,
                isTimeInferred: isTimeInferred,
                isExcluded: isExcluded
            )
        )
    }
}
