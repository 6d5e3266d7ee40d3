import Events

/// An event to be written to a segment, or read from one to be written to another.
struct SegmentEvent {
    /// Nil for an anonymous event.
    var person: PersonHash?
    /// The id that the event itself carries: of its person, or of a device or click that belongs to the person. Equals
    /// `person` if no link was needed.
    var key: PersonHash
    var event: TimelineEvent
    /// The story that gave the event its refs, or may give it some. For a touch with refs of its own, the post's
    /// `overriddenByOwnRefs`; 0 for no story.
    var story = EventID(high: 0, low: 0)

    var hasStory: Bool { story != EventID(high: 0, low: 0) }

    var bucket: Int { person?.bucket ?? Int(event.id.low & 0xFF) }

    /// Whether the event matters to reports on other months. An install decides whether later ones count; a deferred
    /// link may have been tapped in another month.
    var spansMonths: Bool { event.type == .install || event.deferred }

    /// The order within a segment: anonymous events, then person by person, key by key.
    static func < (first: SegmentEvent, second: SegmentEvent) -> Bool {
        switch (first.person, second.person) {
        case (nil, nil): break
        case (nil, _?): return true
        case (_?, nil): return false
        case (let one?, let other?):
            if one != other { return one < other }
            if first.key != second.key {
                // Events that carry the person's own id come first.
                if first.key == one { return true }
                if second.key == one { return false }
                return first.key < second.key
            }
        }
        return first.event.occurredAt == second.event.occurredAt
            ? first.event.id < second.event.id : first.event.occurredAt < second.event.occurredAt
    }
}
