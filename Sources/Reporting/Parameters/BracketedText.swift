/// Texts in which brackets hold conditions.
package enum BracketedText {
    /// Splits a list at a separator that is in no brackets.
    package static func split(_ text: String, at separator: Character) -> [String] {
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
