extension StringProtocol {
    /// Without the blanks and tabs around it (RFC 9110 section 5.6.3).
    var trimmingBlanks: SubSequence {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}

extension Character {
    fileprivate var isBlank: Bool {
        self == " " || self == "\t"
    }
}
