import Markup

/// Names as HTML that may break at their joints, and not inside a word: `unattributed` stays whole, and a long
/// `feed_dialog_of_spring` breaks after a `_`.
enum BreakableText {
    /// Texts up to this length fit the narrowest column.
    private static let short = 12
    private static let joints: Set<Character> = ["_", ":", "/", "-", ".", ",", "?", "&", "=", "|"]

    /// The beginning of a text that is longer than this many characters.
    static func beginning(of text: String, upTo length: Int) -> String {
        text.count > length ? text.prefix(length - 1) + "…" : text
    }

    /// A time that may break between its date and its hour, and not inside the date.
    static func time(_ text: String) -> String {
        text.split(separator: " ").map { "<span class=\"whole\">\(HTMLText.escaped(String($0)))</span>" }
            .joined(separator: " ")
    }

    static func html(_ text: String) -> String {
        guard text.count > short else { return HTMLText.escaped(text) }
        var html = ""
        var word = ""
        for character in text {
            if let last = word.last, joints.contains(last), !joints.contains(character) {
                html += HTMLText.escaped(word) + "<wbr>"
                word = ""
            }
            word.append(character)
        }
        return html + HTMLText.escaped(word)
    }
}
