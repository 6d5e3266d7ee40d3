import Events
import Time

extension Oracle {
    /// docs/events.md, *People*, word for word. Every stored event counts for this, including test traffic.
    struct People {
        private let events: [Event]

        init(events: [Event]) {
            self.events = events
        }

        /// The first of `user_id`, `device_id` and `click_id` that the event carries decides. A device without a user
        /// is a person of its own, even if the same event carries a click that belongs to another person.
        func person(of event: Event) -> Person? {
            if let user = event.userID { return .user(Name(user)) }
            if let device = event.deviceID { return person(ofDevice: Name(device)) }
            if let click = event.clickID { return person(ofClick: Name(click)) }
            return nil
        }

        /// "By the earliest event that has the device and a user." "Earliest is by `occurred_at`, then by `event_id`."
        private func person(ofDevice device: Name) -> Person {
            let telling = events.filter { $0.deviceID.map(Name.init) == device && $0.userID != nil }
            guard let user = Self.earliest(telling)?.userID else { return .device(device) }
            return .user(Name(user))
        }

        /// "By the earliest install that has the click and a device or a user; only if there is none, by the earliest
        /// other event": its user if it has one, otherwise the person of its device.
        private func person(ofClick click: Name) -> Person {
            let telling = events.filter {
                $0.clickID.map(Name.init) == click && ($0.userID != nil || $0.deviceID != nil)
            }
            guard let earliest = Self.earliest(telling.filter { $0.type == .install }) ?? Self.earliest(telling)
            else { return .click(click) }
            if let user = earliest.userID { return .user(Name(user)) }
            if let device = earliest.deviceID { return person(ofDevice: Name(device)) }
            return .click(click)
        }

        private static func earliest(_ events: [Event]) -> Event? {
            events.min { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
        }
    }
}
