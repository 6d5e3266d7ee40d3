import Events
import InboundLinks

/// Turns a person's timeline into the facts that a funnel is about.
struct FunnelFacts {
    private var inboundLink: UInt8 = 0
    private var authenticatedInboundLink: UInt8 = 0
    private var linkClick: UInt8 = 0
    /// Added for a deferred touch.
    private var deferred: UInt8 = 0
    private var install: UInt8 = 0
    private var authentication: UInt8 = 0
    private var conversion: UInt8 = 0
    private var goals: [(goal: Code, steps: UInt8)] = []
    private var feedPost: UInt8 = 0
    /// The person's, ordered by time; of one instant, by the steps they serve.
    private(set) var facts: [FunnelFact] = []

    init(steps: [FunnelStep], dictionary: TimelineDictionary) {
        for (position, step) in steps.enumerated() {
            let bit: UInt8 = 1 << UInt8(position)
            switch step {
            case .inboundLink: inboundLink |= bit
            case .linkClick: linkClick |= bit
            case .touch:
                inboundLink |= bit
                linkClick |= bit
            case .tap:
                linkClick |= bit
                deferred |= bit
            case .install: install |= bit
            case .authentication:
                authentication |= bit
                authenticatedInboundLink |= bit
            case .conversion(nil): conversion |= bit
            case .conversion(let name?): goals.append((dictionary.goal(name), bit))
            case .feedPost: feedPost |= bit
            }
        }
    }

    mutating func load(_ person: borrowing PersonTimeline) {
        facts.removeAll(keepingCapacity: true)
        for touch in person.touches {
            append(time: touch.time, steps: steps(of: touch), event: touch.event)
        }
        for position in person.events.indices {
            let event = person.events[position]
            switch event.type {
            case .authentication: append(time: event.occurredAt, steps: authentication, event: position)
            case .conversion: append(time: event.occurredAt, steps: steps(ofGoal: event.goal), event: position)
            case .feedPost: append(time: event.occurredAt, steps: feedPost, event: position)
            case .install, .inboundLink, .linkClick: break
            }
        }
        for position in person.countedInstalls {
            append(time: person.events[position].occurredAt, steps: install, event: position)
        }
        facts.sort { $0.time == $1.time ? $0.steps < $1.steps : $0.time < $1.time }
    }

    private mutating func append(time: Timestamp, steps: UInt8, event: Int) {
        if steps != 0 { facts.append(FunnelFact(time: time, steps: steps, event: event)) }
    }

    private func steps(of touch: TimelineTouch) -> UInt8 {
        var steps = touch.isLinkClick ? linkClick : inboundLink
        if touch.isDeferred { steps |= deferred }
        if touch.isAuthenticated, !touch.isLinkClick { steps |= authenticatedInboundLink }
        return steps
    }

    private func steps(ofGoal goal: Code) -> UInt8 {
        var steps = conversion
        for (name, bits) in goals where name == goal { steps |= bits }
        return steps
    }
}
