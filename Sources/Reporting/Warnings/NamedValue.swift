import Events
import Timelines

/// A value that a request names and that only events can tell: a goal, a ref. A request that names one that occurs
/// nowhere is answered with a warning (``ReportWarning``).
struct NamedValue: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case goal
        case poster
        /// A key of events whose values are texts.
        case key(EventGrouping)

        var name: String {
            switch self {
            case .goal: "goal"
            case .poster: "poster"
            case .key(let key): key.rawValue
            }
        }

        /// The key of events whose values these are; nil for goals and posters.
        var grouping: EventGrouping? {
            if case .key(let key) = self { key } else { nil }
        }

        /// Whether a name stands for events without a value, or for several values: it always means something.
        func isCollective(_ name: String) -> Bool {
            name == ReportNames.none || property != nil && name == ReportNames.others
        }

        /// The declared property whose values these are; nil for other kinds.
        var property: PropertyKey? { grouping?.property }
    }

    /// The parameter that names it.
    var parameter: String
    var kind: Kind
    var text: String
    /// Whether every value that begins with the text is meant.
    var isPrefix = false
    /// Names of another kind that may have been meant.
    var others: [String] = []

    /// Whether a value of events is meant. Names are compared byte by byte, as in the database.
    func matches(_ name: String) -> Bool {
        isPrefix
            ? name.utf8.starts(with: text.utf8)
            : name.utf8.elementsEqual(text.utf8)
                || kind.property != nil && name.utf8.elementsEqual(PropertyValue.normalised(text).utf8)
    }

    // Two spellings of é are equal as strings, but not as names.
    static func == (first: Self, second: Self) -> Bool {
        first.parameter == second.parameter && first.kind == second.kind && first.isPrefix == second.isPrefix
            && first.text.utf8.elementsEqual(second.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parameter)
        hasher.combine(kind)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension NamedValue {
    /// The goals that a parameter names; nil stands for all goals.
    static func goals(_ names: [String?], of parameter: String) -> [NamedValue] {
        names.compactMap { name in name.map { NamedValue(parameter: parameter, kind: .goal, text: $0) } }
    }
}

extension LastTouchParameters {
    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") + filter.namedValues }
}

extension Funnel {
    /// The goals of its steps and of the events that cut it.
    var namedValues: [NamedValue] {
        let alternatives = steps.flatMap(\.alternatives)
        return NamedValue.goals(alternatives.map(\.event.goal), of: "steps")
            + NamedValue.goals(exclusions.map(\.event.goal), of: "exclude") + filter.namedValues
            + alternatives.flatMap { $0.filter.namedValues(of: "steps") }
            + exclusions.flatMap { $0.filter.namedValues(of: "exclude") }
    }
}

extension Filter {
    /// The values of keys that only events can tell. The others are known without events.
    var namedValues: [NamedValue] { namedValues(of: "where") }

    /// - Parameter parameter: the one that has the conditions.
    func namedValues(of parameter: String) -> [NamedValue] {
        conditions.flatMap { condition -> [NamedValue] in
            guard let kind = condition.key.namedKind else { return [] }
            return condition.values.filter { !kind.isCollective($0) }.map { value in
                let isPrefix = kind.grouping?.hasPrefixes == true && value.hasSuffix("*")
                let text = isPrefix ? String(value.dropLast()) : value
                return NamedValue(parameter: parameter, kind: kind, text: text, isPrefix: isPrefix)
            }
        }
    }
}
