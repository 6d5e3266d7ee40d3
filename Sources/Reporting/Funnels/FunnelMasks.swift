import Events
import InboundLinks
import Timelines

/// Tells in which of up to 8 lists of events an event is, one bit for each list. For a funnel, the lists are its steps.
struct FunnelMasks {
    private(set) var inboundLink: UInt8 = 0
    private(set) var linkClick: UInt8 = 0
    /// The bits added for a deferred touch.
    private(set) var deferred: UInt8 = 0
    private(set) var install: UInt8 = 0
    /// The bits of an authentication, added for an authenticated inbound link.
    private(set) var authentication: UInt8 = 0
    /// The bits of an authentication that was not granted. Only alternatives with a condition on the outcome have them.
    private var failedAuthentication: UInt8 = 0
    private(set) var conversion: UInt8 = 0
    private var goals: [(goal: Code, lists: UInt8)] = []
    private(set) var feedPost: UInt8 = 0
    private(set) var appOpen: UInt8 = 0
    /// The alternatives with conditions, each with the masks of its event alone.
    private var conditioned: [(masks: FunnelMasks, matcher: EventMatcher)] = []

    init(_ lists: [[FunnelAlternative]], dictionary: TimelineDictionary) {
        for (position, list) in lists.enumerated() {
            let bit: UInt8 = 1 << UInt8(position)
            for alternative in list {
                if let matcher = alternative.filter.makeMatcher(dictionary) {
                    var before = [[FunnelAlternative]](repeating: [], count: position)
                    before.append([FunnelAlternative(alternative.event)])
                    var masks = FunnelMasks(before, dictionary: dictionary)
                    if alternative.hasOutcome { masks.failedAuthentication = masks.authentication }
                    conditioned.append((masks, matcher))
                    continue
                }
                switch alternative.event {
                case .inboundLink: inboundLink |= bit
                case .linkClick: linkClick |= bit
                case .touch:
                    inboundLink |= bit
                    linkClick |= bit
                case .tap:
                    linkClick |= bit
                    deferred |= bit
                case .install: install |= bit
                case .authentication: authentication |= bit
                case .conversion(nil): conversion |= bit
                case .conversion(let name?): goals.append((dictionary.code(of: name, as: .goal), bit))
                case .feedPost: feedPost |= bit
                case .appOpen: appOpen |= bit
                }
            }
        }
    }

    /// Whether a list contains only touches: no install, authenticated link and so on.
    func isOfTouchesOnly(list position: Int) -> Bool {
        let others = goals.reduce(install | authentication | conversion | feedPost | appOpen) { $0 | $1.lists }
        return others & (1 << UInt8(position)) == 0
            && conditioned.allSatisfy { $0.masks.isOfTouchesOnly(list: position) }
    }

    /// The bits of a touch as a touch.
    ///
    /// - Parameter event: the touch's event, for conditions.
    @inline(__always)
    func asLink(_ touch: TimelineTouch, _ event: @autoclosure () -> TimelineEvent) -> UInt8 {
        let plain = asLink(touch)
        return conditioned.isEmpty ? plain : plain | met(event()) { $0.asLink(touch) }
    }

    /// The bits of a touch as an authentication.
    ///
    /// - Parameter event: the touch's event, for conditions.
    @inline(__always)
    func asAuthentication(_ touch: TimelineTouch, _ event: @autoclosure () -> TimelineEvent) -> UInt8 {
        let plain = asAuthentication(touch)
        return conditioned.isEmpty ? plain : plain | met(event()) { $0.asAuthentication(touch) }
    }

    /// The bits of an event other than a touch. The caller must know whether an install counts.
    @inline(__always)
    func of(_ event: TimelineEvent) -> UInt8 {
        let plain = plainBits(of: event)
        return conditioned.isEmpty ? plain : plain | met(event) { $0.plainBits(of: event) }
    }

    /// The bits of the alternatives whose conditions an event meets.
    private func met(_ event: TimelineEvent, _ bits: (FunnelMasks) -> UInt8) -> UInt8 {
        conditioned.reduce(0) { met, alternative in
            let own = bits(alternative.masks)
            return own & ~met != 0 && alternative.matcher.keeps(event) ? met | own : met
        }
    }

    private func asLink(_ touch: TimelineTouch) -> UInt8 {
        (touch.isClick ? linkClick : 0) | (touch.isLinkClick ? 0 : inboundLink) | (touch.isDeferred ? deferred : 0)
    }

    private func asAuthentication(_ touch: TimelineTouch) -> UInt8 {
        touch.isAuthenticated && !touch.isLinkClick ? authentication : 0
    }

    private func plainBits(of event: TimelineEvent) -> UInt8 {
        switch event.type {
        // A pattern, not "==", because "==" of another module's enum is looked up at each use.
        case .authentication: if case .granted = event.login { authentication } else { failedAuthentication }
        case .conversion: goals.isEmpty ? conversion : ofGoal(event.goal)
        case .feedPost: feedPost
        case .install: install
        case .appOpen: appOpen
        case .inboundLink, .linkClick: 0
        }
    }

    private func ofGoal(_ goal: Code) -> UInt8 {
        var lists = conversion
        for (name, bits) in goals where name == goal { lists |= bits }
        return lists
    }
}
