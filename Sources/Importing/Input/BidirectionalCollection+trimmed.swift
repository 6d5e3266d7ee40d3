extension BidirectionalCollection {
    /// Without the elements of this kind at its beginning and at its end.
    func trimmed(_ isOutside: (Element) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isOutside($0) }), let last = lastIndex(where: { !isOutside($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
