import Events
import Foundation
import InboundLinks
import Time

/// docs/redirects.md, *One touch*.
extension Oracle {
    /// An event that names a click.
    struct Return {
        var person: Person?
        var click: EventID
        var time: Timestamp
    }

    /// The event that an event's `click_id` names, if it is the id of another one in its usual form.
    static func openedClick(_ event: Event) -> EventID? {
        guard let id = event.clickID.flatMap(EventID.init) else { return nil }
        if event.type == .linkClick, id == event.id { return nil }
        return event.clickID.map(Name.init) == Name(id.description) ? id : nil
    }

    /// "A click on a short link and the opens of the app that carry its `click_id` are one touch, if they are the same
    /// person's and happened from an hour before the click to seven days after it, both included."
    static func joined(_ facts: [Fact]) -> [Fact] {
        var facts = facts
        for click in facts {
            guard let clicked = click.touch, !clicked.isInboundLink, !clicked.isDeferred, clicked.shortLink != nil,
                click.person != nil
            else { continue }
            let opens = facts.filter { fact in
                guard let open = fact.touch, open.openedClick == click.eventID, fact.person == click.person else {
                    return false
                }
                return click.time.advanced(by: .seconds(-3_600)) <= open.toldTime
                    && open.toldTime <= click.time.advanced(by: .days(7))
            }
            // "Of several opens, the earliest counts: by the time that it tells, then by event id."
            let earliest = opens.min { first, second in
                (first.touch?.toldTime ?? first.time, first.eventID) < (
                    second.touch?.toldTime ?? second.time, second.eventID
                )
            }
            guard var fact = earliest, var touch = fact.touch else { continue }
            // "It has the click's time, and what the open does not say is the click's."
            touch.isJoined = true
            if touch.channel == .unattributed { touch.channel = clicked.channel }
            if touch.refs.isEmpty { (touch.refs, touch.refFrom) = (clicked.refs, clicked.refFrom) }
            touch.post = touch.post ?? clicked.post
            touch.refererApp = touch.refererApp ?? clicked.refererApp
            touch.targetURL = touch.targetURL ?? clicked.targetURL
            touch.pageTarget = clicked.targetURL ?? touch.targetURL
            touch.shortLink = touch.shortLink ?? clicked.shortLink
            fact.time = click.time
            fact.kind = .touch(touch)
            let gone = Set((opens + [click]).map(\.number))
            facts = facts.filter { !gone.contains($0.number) } + [fact]
            // An install that came with its link has what is known of the link.
            for position in facts.indices where facts[position].eventID == fact.eventID {
                if facts[position].installLink != nil { facts[position].installLink = touch }
            }
        }
        return facts
    }
}
