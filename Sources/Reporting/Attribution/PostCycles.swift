import Timelines

/// How long posts took to bring their first install. One entry for each install that came from a post.
struct PostCycles {
    private struct Entry {
        var post: Code
        /// The time from the post to the install, in microseconds.
        var elapsed: Int64
    }

    private var entries: [Entry] = []

    mutating func add(_ post: Code, elapsed: Int64) {
        entries.append(Entry(post: post, elapsed: elapsed))
    }

    /// In bytes.
    var size: Int { entries.heldSize }

    mutating func merge(_ other: PostCycles) {
        entries += other.entries
    }

    /// Each post that brought an install, with the time to the first one.
    consuming func first() -> [(post: Code, elapsed: Int64)] {
        entries.sort { $0.post == $1.post ? $0.elapsed < $1.elapsed : $0.post.rawValue < $1.post.rawValue }
        return entries.indices.filter { $0 == 0 || entries[$0 - 1].post != entries[$0].post }
            .map { (entries[$0].post, entries[$0].elapsed) }
    }

    /// The median in seconds: for an even number of times the mean of the two middle ones; empty if there are none.
    static func medianSeconds(of elapsed: [Int64]) -> ReportCell {
        guard !elapsed.isEmpty else { return .empty }
        // A microsecond is a millionth of a second.
        return .decimal(millionths: median(elapsed))
    }
}
