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
    private(set) var conversion: UInt8 = 0
    private var goals: [(goal: Code, lists: UInt8)] = []
    private(set) var feedPost: UInt8 = 0

    init(_ lists: [[FunnelEvent]], dictionary: TimelineDictionary) {
        for (position, list) in lists.enumerated() {
            let bit: UInt8 = 1 << UInt8(position)
            for event in list {
                switch event {
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
                }
            }
        }
    }

    /// Whether a list contains only touches: no install, authenticated link and so on.
    func isOfTouchesOnly(list position: Int) -> Bool {
        let others = goals.reduce(install | authentication | conversion | feedPost) { $0 | $1.lists }
        return others & (1 << UInt8(position)) == 0
    }

    /// The bits of a touch as a touch.
    func asLink(_ touch: TimelineTouch) -> UInt8 {
        (touch.isClick ? linkClick : 0) | (touch.isLinkClick ? 0 : inboundLink) | (touch.isDeferred ? deferred : 0)
    }

    /// The bits of a touch as an authentication.
    func asAuthentication(_ touch: TimelineTouch) -> UInt8 {
        touch.isAuthenticated && !touch.isLinkClick ? authentication : 0
    }

    /// The bits of an event other than a touch. The caller must know whether an install counts.
    func of(_ event: TimelineEvent) -> UInt8 {
        switch event.type {
        // A pattern, not "==", because "==" of another module's enum is looked up at each use.
        case .authentication: if case .granted = event.login { authentication } else { 0 }
        case .conversion: goals.isEmpty ? conversion : ofGoal(event.goal)
        case .feedPost: feedPost
        case .install: install
        case .inboundLink, .linkClick, .appOpen: 0
        }
    }

    private func ofGoal(_ goal: Code) -> UInt8 {
        var lists = conversion
        for (name, bits) in goals where name == goal { lists |= bits }
        return lists
    }
}
