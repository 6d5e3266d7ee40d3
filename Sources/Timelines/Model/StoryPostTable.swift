package import Events
package import Time

/// The posts that touches came from, numbered from 0.
package struct StoryPostTable: Sendable {
    private var codes = CodeTable()
    private var times: [Timestamp] = []
    /// The posts' events; empty if no report needs them.
    private var events: [EventID] = []
    /// What is known of each post; empty if no report needs it.
    private var details: [PostDetails.Detail?] = []
    private let known: PostDetails?

    /// - Parameter details: of all posts; nil if no report needs them.
    package init(details: PostDetails? = nil) {
        known = details
    }

    /// Adds a post. The table must not have it yet.
    mutating func append(_ time: Timestamp, event: EventID) -> Code {
        times.append(time)
        if let known {
            events.append(event)
            details.append(known[event])
        }
        return Code(rawValue: Int32(times.count - 1))
    }

    /// - Parameter time: the post's time, used if the table does not have the post yet.
    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { codes.code(of: $0) }
        if code.index == times.count { _ = append(time, event: id) }
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

    /// The event of a post. Only for a query that needs details of posts.
    package func event(of code: Code) -> EventID { events[code.index] }

    /// What is known of a post. Only for a query that needs details of posts.
    package func detail(of code: Code) -> PostDetails.Detail? { details[code.index] }
}
