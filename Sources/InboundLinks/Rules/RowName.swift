/// The names of rows in reports. A ref or a goal of such a name would be taken for the row, and `fb_ref=total` may come
/// from anybody's link (docs/links.md, *Refs*).
package enum RowName {
    private static let all: Set<String> = ["total", "direct", "(none)", "(others)"]

    /// Whether the text is such a name, in any case, with blanks around it.
    package static func matches(_ text: String) -> Bool {
        let name = text.trimmed
        // Most texts are decided by their length.
        guard (5...8).contains(name.utf8.count) else { return false }
        return all.contains(name.lowercasedASCII)
    }
}
