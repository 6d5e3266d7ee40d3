import Text

extension HTMLText {
    private static let textarea = "<textarea".unicodeScalars
    /// What stands before the values of attributes that are shown or read to people.
    private static let shownAttributes = [" title=", " aria-label="].map(\.unicodeScalars)

    /// A whole page that shows the characters that turn the direction of writing as `\u202e`: in the name of a person
    /// or a ref, they would rearrange what stands beside it. Text areas and attributes keep their values, but for those
    /// that are shown: `title` and `aria-label`.
    package static func showingDirections(in page: String) -> String {
        let scalars = page.unicodeScalars
        guard scalars.contains(where: \.turnsDirection) else { return page }
        var shown = ""
        shown.reserveCapacity(page.utf8.count + 64)
        var (isInTag, isInValue) = (false, false)
        var (isQuoted, isShown) = (false, false)
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar {
            case "<":
                (isInTag, isQuoted, isShown) = (true, false, false)
                isInValue = scalars[index...].starts(with: textarea)
            case ">": isInTag = false
            case "\"" where isInTag:
                isQuoted.toggle()
                isShown = isQuoted && shownAttributes.contains { scalars[..<index].suffix($0.count).elementsEqual($0) }
            default: break
            }
            if scalar.turnsDirection, isInTag ? isShown : !isInValue {
                for unit in scalar.utf16 { shown += unit.unicodeEscape }
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
