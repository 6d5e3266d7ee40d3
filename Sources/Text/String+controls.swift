extension Unicode.Scalar {
    /// Ends a line, controls a terminal, turns the direction of writing, or is invisible. Joiners do none of these to a
    /// text: emoji and some scripts need them.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .format: self != "\u{200C}" && self != "\u{200D}"
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    /// Turns the direction of writing. All of these are ``isControl``, too.
    package var turnsDirection: Bool { !isASCII && properties.isBidiControl }
}

extension String {
    /// The text with control characters as `\n`, `\t`, `\u001b` and so on. A JSON text stays the same value.
    ///
    /// - Parameter keepsLines: whether line breaks and tabs stay.
    package func escapingControls(keepsLines: Bool = false) -> String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = ""
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            switch scalar {
            case "\n" where !keepsLines: text += "\\n"
            case "\t" where !keepsLines: text += "\\t"
            // CSV ends its lines so.
            case "\r" where keepsLines && unicodeScalars[index...].dropFirst().first == "\n": text += "\r"
            case "\r": text += "\\r"
            case _ where scalar.isControl && scalar != "\n" && scalar != "\t":
                for unit in scalar.utf16 { text += unit.unicodeEscape }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
