/// What a rule expects of a value: the whole value, or its beginning.
package struct RulePattern: Hashable, Sendable {
    /// Without the `*`.
    package var text: String
    /// Whether anything may follow the text.
    package var isPrefix: Bool

    package init(text: String, isPrefix: Bool = false) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Whether a value is as expected. Bytes are compared, without any folding.
    package func matches(_ value: String) -> Bool {
        guard isPrefix else { return value.utf8.elementsEqual(text.utf8) }
        return value.utf8.starts(with: text.utf8)
    }

    /// Whether this matches every value that the other pattern matches.
    func covers(_ other: RulePattern) -> Bool {
        isPrefix ? other.text.utf8.starts(with: text.utf8) : self == other
    }
}
