import Events

/// One kind of event that serves a step, and what else it must be: `touch[ref=newsletter]`.
struct FunnelAlternative: Hashable, Sendable {
    let event: FunnelEvent
    /// The conditions that events must meet, all of them.
    var filter = EventFilter()

    init(_ event: FunnelEvent) {
        self.event = event
    }

    /// Whether a condition says which outcomes the event may have. Otherwise only granted authentications serve, and
    /// posts and conversions of any outcome.
    var hasOutcome: Bool {
        EventGrouping.outcome(of: event).map { key in filter.conditions.contains { $0.key == key } } ?? false
    }

    /// Reads the name of an event and any number of conditions in brackets, each as `--where` takes it. In a
    /// condition, `\]` is a bracket; in the name of a conversion, `\[` is one.
    ///
    /// - Parameter reader: knows the declared properties.
    /// - Throws: `ReportError.usage`.
    init(
        parsing text: String,
        field: String,
        reader: ParameterReader
    ) throws(ReportError) {
        let pieces = BracketedText.pieces(of: text)
        guard let conditions = pieces.conditions else {
            throw .invalid(
                field,
                "'\(text)' has a bracket too many or too few: a condition is in brackets behind its event, as "
                    + "touch[ref=newsletter]; \\[ and \\] are brackets of a name"
            )
        }
        guard let event = FunnelEvent(name: pieces.head) else {
            throw .unknown("step", pieces.head, field: field, allowed: FunnelEvent.names)
        }
        self.event = event
        for condition in conditions {
            filter.add(
                try EventCondition(
                    parsing: condition,
                    of: "'\(event)'",
                    keys: reader.stepKeys(of: event),
                    known: reader.properties.map(\.rawValue),
                    field: field
                )
            )
        }
        try checkValues(of: text, field)
    }

    /// - Throws: `ReportError.usage` if conditions on one key have no value in common: nothing meets them. A touch may
    ///   have several refs, but each counts for itself.
    private func checkValues(of text: String, _ field: String) throws(ReportError) {
        // A prefix stands for many values, and a declared property has several spellings of one.
        let named = filter.conditions.filter { !$0.isExclusion && !$0.key.hasPrefixes && $0.key.property == nil }
        for (position, condition) in named.enumerated() {
            guard
                let other = named[..<position].first(where: { other in
                    other.key == condition.key && !condition.values.contains(where: other.isMet)
                })
            else { continue }
            let either = (other.values + condition.values).joined(separator: ",")
            throw .invalid(
                field,
                "'\(text)': no event meets both '\(other.text)' and '\(condition.text)', because each value counts for "
                    + "itself; '\(event)[\(condition.key.rawValue)=\(either)]' is met by any of them, and who did both did "
                    + "it in two steps, or meets two conditions of with"
            )
        }
    }
}

extension FunnelAlternative: CustomStringConvertible {
    /// As it is written in a request.
    var description: String {
        filter.conditions.reduce(BracketedText.escaped(event.description)) { text, condition in
            "\(text)[\(condition.text.replacing("]", with: "\\]"))]"
        }
    }
}
