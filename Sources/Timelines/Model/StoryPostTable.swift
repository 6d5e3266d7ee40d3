package import Events
package import Time

/// The posts that touches came from, numbered from 0.
package struct StoryPostTable: Sendable {
    /// The posts' events, in a table whose posts come in any order; else empty.
    private var codes = CodeTable()
    /// The posts' events, in a table whose posts come in order; else empty.
    private var events: [EventID] = []
    private var times: [Timestamp] = []
    /// The place of each post in `details`; empty if these are in the order of posts, or if no report needs them.
    private var places: [Int32] = []
    /// What is known of the posts, nil if no report needs it. Copies of a table share it.
    package private(set) var details: PostDetails?

    /// - Parameter details: of all posts; nil if no report needs them.
    package init(details: PostDetails? = nil) {
        self.details = details
    }

    /// The memory of the posts, in bytes. A table whose posts come in order has them all, and grows no more.
    package var size: Int {
        codes.size + events.count * 16 + times.count * 8 + places.count * 4 + (details?.size ?? 0)
    }

    /// Forgets the posts, and keeps the details.
    mutating func removeAll() {
        codes = CodeTable()
        events.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }

    /// Adds a post. The table must not have it yet, and gets all its posts so.
    mutating func append(_ time: Timestamp, event: EventID) -> Code {
        events.append(event)
        times.append(time)
        return Code(rawValue: Int32(times.count - 1))
    }

    /// Adds what is known of all posts. The table gets its posts in order, and no others afterwards.
    ///
    /// - Parameter isAskedByEvent: whether posts are asked for by their events, too.
    mutating func attach(_ details: PostDetails, isAskedByEvent: Bool) {
        if isAskedByEvent || events.isEmpty {
            self.details = details
            places = events.map { details.place(of: $0) ?? -1 }
        } else {
            self.details = details.arranged(for: events)
        }
    }

    /// - Parameter time: the post's time, used if the table does not have the post yet.
    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { codes.code(of: $0) }
        if code.index == times.count {
            times.append(time)
            if let details { places.append(details.place(of: id) ?? -1) }
        }
        return code
    }

    /// The bytes of the id that ``code(ofPost:at:)`` got.
    func withID<Result>(of code: Code, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        codes.withBytes(of: code, body)
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

    /// The event of a post.
    package func event(of code: Code) -> EventID {
        if !events.isEmpty { return events[code.index] }
        return codes.withBytes(of: code) { bytes in
            EventID(
                high: bytes.loadUnaligned(as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// What is known of a post, nil if nothing is.
    package func detail(of code: Code) -> PostDetails.Detail? {
        guard let details else { return nil }
        let place = places.isEmpty ? code.rawValue : places[code.index]
        return place < 0 ? nil : details[place]
    }
}
