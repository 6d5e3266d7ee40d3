import Events

/// An event on its way into a segment, or out of one into another.
struct SegmentEvent {
    /// Nil for an event of nobody.
    var person: PersonHash?
    /// The event's own id of its person, or what stood for it; the same as `person` where no link was needed.
    var key: PersonHash
    var event: TimelineEvent
    /// The story that gave, or may give, its refs; of a touch with refs of its own the post's `besideOwnRefs`; 0 for none.
    var story = EventID(high: 0, low: 0)

    var hasStory: Bool { story != EventID(high: 0, low: 0) }

    var bucket: Int { person?.bucket ?? Int(event.id.low & 0xFF) }

    /// Whether it matters to reports on later months: installs decide on what later counts as one, and a deferred link may
    /// have been tapped in another month.
    var spansMonths: Bool { event.type == .install || event.deferred }

    /// The order within a segment: nobody's events, then person by person, key by key.
    static func < (first: SegmentEvent, second: SegmentEvent) -> Bool {
        switch (first.person, second.person) {
        case (nil, nil): break
        case (nil, _?): return true
        case (_?, nil): return false
        case (let one?, let other?):
            if one != other { return one < other }
            if first.key != second.key {
                // One's own events first.
                if first.key == one { return true }
                if second.key == one { return false }
                return first.key < second.key
            }
        }
        return first.event.occurredAt == second.event.occurredAt
            ? first.event.id < second.event.id : first.event.occurredAt < second.event.occurredAt
    }
}
