import Events
package import Time

/// The posts that touches came from, numbered from 0.
package struct StoryPostTable: Sendable {
    private var ids = CodeTable()
    private var times: [Timestamp] = []

    init() {}

    /// Adds a post. The table must not have it yet.
    mutating func append(_ time: Timestamp) -> Code {
        times.append(time)
        return Code(rawValue: Int32(times.count - 1))
    }

    /// - Parameter time: the post's time, used if the table does not have the post yet.
    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { ids.code(of: $0) }
        if code.index == times.count { times.append(time) }
        return code
    }

    /// The latest of some posts at or before a time, or `none`.
    ///
    /// - Parameter posts: ordered by time.
    func latest(of posts: Range<Int>, at time: Timestamp) -> Code {
        let after = times[posts].firstPosition { $0 > time }
        return after > posts.lowerBound ? Code(rawValue: Int32(after - 1)) : .none
    }

    /// When the story was posted. `code` must be a code of this table.
    package func time(of code: Code) -> Timestamp { times[code.index] }
}
