import Events
import InboundLinks
import Time

/// docs/reports.md, *Words*: one tap told at each launch.
extension Oracle {
    /// The tap that a deferred link tells of.
    struct Tap: Hashable {
        var time: Timestamp
        var target: Name
    }

    /// Nil if the link does not say itself when it was tapped.
    static func tap(_ event: Event) -> Tap? {
        var touch: Touch?
        if case .install(let install) = event.content { touch = install.link }
        if case .inboundLink(let link) = event.content, link.link.deferred { touch = link }
        guard let link = touch?.link, let time = link.clickedAt, !link.stated.contains(.clickedAt) else {
            return nil
        }
        return Tap(time: time, target: Name(StoryLink.normalised(link.targetURL ?? "")))
    }

    /// "Opens of one person with the same target, as the story join compares it, and the same time of the tap, read
    /// from the link, are one touch: the earliest open, by `occurred_at` and then by event id."
    static func toldOnce(_ facts: [Fact]) -> [Fact] {
        var facts = facts
        for first in facts {
            guard let open = first.touch, let tap = open.tap, let person = first.person else { continue }
            let others = facts.filter { fact in
                guard let other = fact.touch else { return false }
                return fact.number != first.number && fact.person == person && other.tap == tap
            }
            let isEarliest = others.allSatisfy { other in
                other.touch.map { (open.occurredAt, first.eventID) < ($0.occurredAt, other.eventID) } ?? true
            }
            guard isEarliest, !others.isEmpty else { continue }
            let gone = Set(others.map(\.number))
            let ordered = others.sorted { one, two in
                (one.touch?.occurredAt ?? one.time, one.eventID) < (two.touch?.occurredAt ?? two.time, two.eventID)
            }
            facts = facts.filter { !gone.contains($0.number) }
            // "It names the click that the earliest of them names, unless it claims to be before its own tap."
            guard let position = facts.firstIndex(where: { $0.number == first.number }),
                var touch = facts[position].touch
            else { continue }
            if tap.time <= touch.occurredAt {
                touch.openedClick = touch.openedClick ?? ordered.lazy.compactMap { $0.touch?.openedClick }.first
            }
            facts[position].kind = .touch(touch)
        }
        return facts
    }
}
