/// The refs of a touch (DOMAIN.md section 3).
enum RefList {
    /// What Facebook writes where a post had no ref.
    static let sentinel = "no_ref_specified"

    /// The limits of CONTRACT.md section 1.
    static let maximumCount = 16
    static let maximumBytes = 256

    /// The refs of the first source that yields any.
    static func first(of sources: [String]...) -> [String] {
        for source in sources {
            let refs = cleaned(source)
            if !refs.isEmpty { return refs }
        }
        return []
    }

    /// Each ref once, in order, without the sentinel and what is beyond the limits.
    private static func cleaned(_ source: [String]) -> [String] {
        if source.isEmpty { return [] }
        var refs: [String] = []
        for element in source {
            let ref = element.trimmed
            guard !ref.isEmpty, ref != sentinel, ref.utf8.count <= maximumBytes, !refs.contains(ref) else { continue }
            refs.append(ref)
            if refs.count == maximumCount { break }
        }
        return refs
    }
}
