import Events
import InboundLinks
import Timelines

/// Decides for the events of a run whether they meet the conditions of `--where`.
final class EventMatcher {
    /// A condition on a property with few values, each a number; nil if the event does not have the property.
    private struct NumberCondition {
        var key: EventGrouping
        var numbers: Set<Int?>
        var isExclusion: Bool
    }

    /// A condition on a property that is a text of the dictionary.
    private struct TextCondition {
        var key: EventGrouping
        /// The exact values.
        var codes: Set<Code>
        /// The beginnings of values that end in `*`.
        var prefixes: [String]
        var isExclusion: Bool
        /// By code, for prefixes: 1 if the text has one, −1 if not, 0 if not known yet.
        var known: [Int8] = []
    }

    private let dictionary: TimelineDictionary
    /// Whether all conditions are on what people have.
    private let isOfPeople: Bool
    private var numbers: [NumberCondition] = []
    private var texts: [TextCondition] = []
    private var refs: [TextCondition] = []

    init(_ conditions: [EventCondition], _ dictionary: TimelineDictionary) {
        self.dictionary = dictionary
        isOfPeople = conditions.allSatisfy { $0.key.isOfPerson }
        for condition in conditions { add(condition) }
    }

    private func add(_ condition: EventCondition) {
        let key = condition.key
        guard key.isText else {
            let values = condition.values.map { key.number(named: $0) }
            let numbers = NumberCondition(key: key, numbers: Set(values), isExclusion: condition.isExclusion)
            return self.numbers.append(numbers)
        }
        var codes: Set<Code> = []
        var prefixes: [String] = []
        for value in condition.values {
            if value == ReportNames.none {
                codes.insert(.none)
            } else if key.hasPrefixes, value.hasSuffix("*") {
                prefixes.append(String(value.dropLast()))
            } else if let code = key.code(of: value, dictionary) {
                codes.insert(code)
            }
        }
        let texts = TextCondition(key: key, codes: codes, prefixes: prefixes, isExclusion: condition.isExclusion)
        if key == .ref { refs.append(texts) } else { self.texts.append(texts) }
    }

    /// Whether an event, or the part of it for one of its refs, is kept.
    func keeps(_ event: TimelineEvent) -> Bool {
        guard keepsWithoutRefs(event) else { return false }
        if refs.isEmpty { return true }
        var isKept = false
        let count = dictionary.forEachRef(of: event.refs) { ref, _, _ in
            if keeps(ref: ref) { isKept = true }
        }
        return count == 0 ? keeps(ref: .none) : isKept
    }

    /// Whether an install or a conversion that no touch is credited with is kept. It has only what its person has.
    func keepsDirect(_ event: TimelineEvent) -> Bool { isOfPeople && keepsWithoutRefs(event) }

    /// Whether what has none of the properties is kept: the rows `(none)`.
    var keepsNothing: Bool {
        numbers.allSatisfy { $0.numbers.contains(nil) != $0.isExclusion }
            && (texts + refs).allSatisfy { $0.codes.contains(.none) != $0.isExclusion }
    }

    /// Whether the part of an event for one of its refs is kept, as far as the ref decides. `none` for an event without
    /// refs.
    func keeps(ref: Code) -> Bool {
        refs.indices.allSatisfy { position in
            (refs[position].codes.contains(ref)) != refs[position].isExclusion
        }
    }

    /// The part of a credit that is kept: each ref of the event has the same share.
    ///
    /// - Parameter units: the credit of the event's touch.
    func kept(_ units: Int64, of event: TimelineEvent) -> Int64 {
        guard keepsWithoutRefs(event) else { return 0 }
        if refs.isEmpty { return units }
        var kept: Int64 = 0
        let count = dictionary.forEachRef(of: event.refs) { ref, index, count in
            if keeps(ref: ref) { kept += CreditUnits.share(index, of: count, of: units) }
        }
        return count == 0 ? (keeps(ref: .none) ? units : 0) : kept
    }

    /// The conditions that do not concern refs.
    func keepsWithoutRefs(_ event: TimelineEvent) -> Bool {
        for condition in numbers
        where condition.numbers.contains(condition.key.value(of: event, dictionary)) == condition.isExclusion {
            return false
        }
        for position in texts.indices {
            let code = texts[position].key.code(of: event, dictionary)
            if meets(code, position) == texts[position].isExclusion { return false }
        }
        return true
    }

    /// Whether a text is among the values of a condition.
    private func meets(_ code: Code, _ position: Int) -> Bool {
        if texts[position].codes.contains(code) { return true }
        guard !texts[position].prefixes.isEmpty, !code.isNone else { return false }
        while texts[position].known.count <= code.index { texts[position].known.append(0) }
        if texts[position].known[code.index] == 0 {
            let text = dictionary[.target].bytes(of: code)
            let begins = texts[position].prefixes.contains { text.starts(with: $0.utf8) }
            texts[position].known[code.index] = begins ? 1 : -1
        }
        return texts[position].known[code.index] > 0
    }
}
