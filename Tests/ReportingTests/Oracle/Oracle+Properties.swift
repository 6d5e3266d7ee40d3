import Events
import Foundation
import Time

extension Oracle {
    /// docs/properties.md: the values of declared properties, and the names of their rows.
    struct Properties {
        /// The properties with how many of their values have rows.
        private static let limits: [Grouping: Int] = [.placement: 1_000, .plan: 2, .tier: 1]

        /// The values that have rows of their own.
        let kept: [Grouping: Set<Name>]
        private let people: People
        /// The value of each person: that of the earliest event that has one.
        private var plans: [Person: Name] = [:]

        /// - Parameter events: those that count.
        init(of events: [Event], _ people: People) {
            self.people = people
            kept = Self.limits.reduce(into: [:]) { kept, entry in
                let (key, limit) = entry
                let values = Dictionary(grouping: events.compactMap { Self.value(of: key, in: $0) }) { $0 }
                let mostFrequent = values.keys.sorted { first, second in
                    let counts = (values[first]?.count ?? 0, values[second]?.count ?? 0)
                    return counts.0 == counts.1 ? first < second : counts.0 > counts.1
                }
                kept[key] = Set(mostFrequent.prefix(limit))
            }
            for event in events.sorted(by: { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }) {
                guard let person = people.person(of: event), plans[person] == nil else { continue }
                plans[person] = Self.value(of: .plan, in: event)
            }
        }

        /// The names of the rows of an event. Only conversions have a tier, only touches have a placement.
        func names(of event: Event) -> [Grouping: Name] {
            var names: [Grouping: Name] = [:]
            for key in Self.limits.keys {
                let person = key == .plan ? people.person(of: event) : nil
                guard let value = person.map({ plans[$0] }) ?? Self.value(of: key, in: event) else { continue }
                names[key] = kept[key]?.contains(value) == true ? Self.shown(value) : Name("(others)")
            }
            return names
        }

        /// "Values named like rows are shown in quotation marks", and so are those that look like it.
        private static func shown(_ value: Name) -> Name {
            var inner = Substring(value.text)
            while inner.count > 1, inner.hasPrefix("\""), inner.hasSuffix("\"") { inner = inner.dropFirst().dropLast() }
            let isRow = ["total", "direct", "(none)", "(others)"].contains(String(inner))
            return isRow ? Name("\"\(value.text)\"") : value
        }

        /// The value that an event says, if it is one of those that have the property.
        static func value(of key: Grouping, in event: Event) -> Name? {
            switch key {
            case .placement where event.touch == nil: nil
            case .tier where event.type != .conversion: nil
            default: value(named: key.rawValue, in: event)
            }
        }

        /// Blanks of any width, also of none.
        private static let unseen = CharacterSet.whitespacesAndNewlines.union(
            CharacterSet(charactersIn: "\u{A0}\u{200B}\u{3000}\u{FEFF}")
        )

        /// The value that an event says: a text of 1 to 256 bytes, a number or a boolean. Blanks around a text do not
        /// count, nor does the spelling of a letter or a number.
        private static func value(named name: String, in event: Event) -> Name? {
            guard let text = event.properties,
                let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            else { return nil }
            let value: String
            switch object[name] {
            case let text as String:
                value = text.trimmingCharacters(in: Self.unseen).precomposedStringWithCanonicalMapping
            case let number as NSNumber:
                // RFC 8785: 1.0 and 1e0 are 1. Foundation on Linux writes `1.0`.
                let written = number.stringValue
                let digits = written.hasSuffix(".0") ? String(written.dropLast(2)) : written
                value = text.contains("\"\(name)\":true") ? "true" : digits
            default: return nil
            }
            return (1...256).contains(value.utf8.count) ? Name(value) : nil
        }
    }
}
