import Events
import Time

extension Oracle {
    /// docs/events.md, *People*, word for word. Every stored event speaks, test traffic too.
    struct People {
        private let events: [Event]

        init(events: [Event]) {
            self.events = events
        }

        /// The first of `user_id`, `device_id` and `click_id` that the event carries decides. A device without a user
        /// is a person of its own, also where the same event carries a click that stands for somebody.
        func person(of event: Event) -> Person? {
            if let user = event.userID { return .user(Name(user)) }
            if let device = event.deviceID { return person(ofDevice: Name(device)) }
            if let click = event.clickID { return person(ofClick: Name(click)) }
            return nil
        }

        /// "A `device_id` stands for the user of the earliest event (by `occurred_at`, then `event_id`) that carries
        /// both."
        private func person(ofDevice device: Name) -> Person {
            let telling = events.filter { $0.deviceID.map(Name.init) == device && $0.userID != nil }
            guard let user = Self.earliest(telling)?.userID else { return .device(device) }
            return .user(Name(user))
        }

        /// "A `click_id` likewise for the device or user": the earliest event that carries the click and one of them;
        /// its user where it names one, else whomever its device stands for.
        private func person(ofClick click: Name) -> Person {
            let telling = events.filter {
                $0.clickID.map(Name.init) == click && ($0.userID != nil || $0.deviceID != nil)
            }
            guard let earliest = Self.earliest(telling) else { return .click(click) }
            if let user = earliest.userID { return .user(Name(user)) }
            if let device = earliest.deviceID { return person(ofDevice: Name(device)) }
            return .click(click)
        }

        private static func earliest(_ events: [Event]) -> Event? {
            events.min { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
        }
    }
}
