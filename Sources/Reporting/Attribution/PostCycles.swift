import Timelines

/// How long posts took to bring their first install. One entry for each install that came from a post.
struct PostCycles {
    private struct Entry {
        var post: Code
        /// The group of its touch: a channel, or a list of refs.
        var group: Int32
        /// The time from the post to the install, in microseconds.
        var elapsed: Int64
    }

    private var entries: [Entry] = []

    mutating func add(_ post: Code, group: Int, elapsed: Int64) {
        entries.append(Entry(post: post, group: Int32(group), elapsed: elapsed))
    }

    mutating func merge(_ other: PostCycles) {
        entries += other.entries
    }

    /// For each post that brought an install, the time to the first one: in each of its groups, without a group, and in
    /// total.
    ///
    /// - Parameter members: returns the groups that belong to the group of an entry.
    consuming func elapsed(
        _ members: (Int) -> [Int]
    ) -> (groups: [Int: [Int64]], none: [Int64], total: [Int64]) {
        entries.sort { $0.post == $1.post ? $0.elapsed < $1.elapsed : $0.post.rawValue < $1.post.rawValue }
        var groups: [Int: [Int64]] = [:]
        var none: [Int64] = []
        var total: [Int64] = []
        var seen: Set<Int?> = []
        for (position, entry) in entries.enumerated() {
            if position == 0 || entries[position - 1].post != entry.post {
                seen.removeAll(keepingCapacity: true)
                total.append(entry.elapsed)
            }
            let members = members(Int(entry.group))
            if members.isEmpty, seen.insert(nil).inserted { none.append(entry.elapsed) }
            for group in members where seen.insert(group).inserted { groups[group, default: []].append(entry.elapsed) }
        }
        return (groups, none, total)
    }

    /// The median in seconds: for an even number of times the mean of the two middle ones; empty if there are none.
    static func medianSeconds(of elapsed: [Int64]) -> ReportCell {
        guard !elapsed.isEmpty else { return .empty }
        // A microsecond is a millionth of a second.
        return .decimal(millionths: median(elapsed))
    }
}
