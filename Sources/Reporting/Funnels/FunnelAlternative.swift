import Events

/// One kind of event that serves a step, and what else it must be: `touch[ref=newsletter]`.
struct FunnelAlternative: Hashable, Sendable {
    let event: FunnelEvent
    /// The conditions that events must meet, all of them.
    var filter = EventFilter()

    init(_ event: FunnelEvent) {
        self.event = event
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
                    keys: reader.filterKeys(of: event),
                    known: reader.properties.map(\.rawValue),
                    field: field
                )
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

/// Texts in which brackets hold conditions.
enum BracketedText {
    /// Splits a list at a separator that is in no brackets.
    static func split(_ text: String, at separator: Character) -> [String] {
        var elements = [""]
        var (depth, isEscaped) = (0, false)
        for character in text {
            if character == separator, depth == 0 {
                elements.append("")
                isEscaped = false
                continue
            }
            if !isEscaped {
                if character == "[" { depth += 1 }
                if character == "]", depth > 0 { depth -= 1 }
            }
            isEscaped = character == "\\" && !isEscaped
            elements[elements.count - 1].append(character)
        }
        return elements
    }

    /// What stands before the brackets, and what stands in each; nil for conditions if the brackets do not match.
    static func pieces(of text: String) -> (head: String, conditions: [String]?) {
        var (head, conditions) = ("", [String]())
        var (isInside, isEscaped, isBroken) = (false, false, false)
        func isEscape(_ next: Character) -> Bool { next == "[" || next == "]" }
        for character in text {
            if isEscaped {
                isEscaped = false
                let kept = isEscape(character) ? "\(character)" : "\\\(character)"
                if isInside { conditions[conditions.count - 1] += kept } else { head += kept }
                continue
            }
            switch character {
            case "\\": isEscaped = true
            case "[" where !isInside:
                isInside = true
                conditions.append("")
            case "]" where isInside: isInside = false
            case "]": isBroken = true
            default:
                if isInside {
                    conditions[conditions.count - 1].append(character)
                } else if conditions.isEmpty {
                    head.append(character)
                } else {
                    isBroken = true
                }
            }
        }
        if isEscaped { head += "\\" }
        return (head, isInside || isBroken ? nil : conditions)
    }

    static func escaped(_ name: String) -> String {
        name.replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
}
