import Text

/// The refs of a touch (docs/links.md, *Refs*).
package enum RefList {
    /// The value that Facebook writes if a post had no ref (docs/links.md, *Channels*).
    package static let sentinel = "no_ref_specified"

    /// The limits of docs/events.md, *Limits*.
    package static let maximumCount = 16
    package static let maximumBytes = 256

    /// Each ref once, in order, without the sentinel, the names of rows and refs beyond the limits.
    package static func cleaned(_ source: [String]) -> [String] {
        if source.isEmpty { return source }
        var refs: [String] = []
        for element in source {
            let ref = String(element.trimmedOfBlanks)
            guard !ref.isEmpty, ref != sentinel, !RowName.matches(ref), ref.utf8.count <= maximumBytes,
                !refs.contains(ref)
            else { continue }
            refs.append(ref)
            if refs.count == maximumCount { break }
        }
        return refs
    }
}
