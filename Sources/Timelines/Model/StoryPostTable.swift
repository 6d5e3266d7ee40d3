import Events
package import Time

/// The posts that touches came from, numbered from 0.
package struct StoryPostTable: Sendable {
    private var ids = CodeTable()
    private var times: [Timestamp] = []

    init() {}

    /// A post more, of which the caller knows that the table does not have it.
    mutating func append(_ time: Timestamp) -> Code {
        times.append(time)
        return Code(rawValue: Int32(times.count - 1))
    }

    /// - Parameter time: where the post is not in the table yet.
    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { ids.code(of: $0) }
        if code.index == times.count { times.append(time) }
        return code
    }

    /// The latest of some posts at or before a time; none where there is none.
    ///
    /// - Parameter posts: in the order of their times.
    func latest(of posts: Range<Int>, at time: Timestamp) -> Code {
        let after = times[posts].firstPosition { $0 > time }
        return after > posts.lowerBound ? Code(rawValue: Int32(after - 1)) : .none
    }

    /// When the story was posted. Only for codes of this table.
    package func time(of code: Code) -> Timestamp { times[code.index] }
}
