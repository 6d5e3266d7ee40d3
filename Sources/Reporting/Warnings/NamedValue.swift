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

        /// Whether the values are ids of people.
        var isOfPeople: Bool {
            switch self {
            case .poster: true
            case .goal, .key: false
            }
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
