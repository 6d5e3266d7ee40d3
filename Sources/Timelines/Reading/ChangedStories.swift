import Events
import Time

/// The posts of stories whose packed touches may have other refs now.
struct ChangedStories: Sendable {
    struct Post: Sendable {
        var time: Timestamp
        var id: EventID
        var refs: Code
    }

    /// By story, ordered by (time, id).
    private var posts: [EventID: [Post]] = [:]

    var isEmpty: Bool { posts.isEmpty }

    mutating func add(story: EventID) {
        posts[story, default: []] += []
    }

    /// - Parameter post: not earlier than the posts that the story already has.
    mutating func add(_ post: Post, to story: EventID) {
        posts[story, default: []].append(post)
    }

    /// The refs of a touch of a story: those of the latest post at or before it. Nil if the packed refs are right.
    func refs(of story: EventID, at time: Timestamp) -> Code? {
        guard let posts = posts[story] else { return nil }
        // A binary search, because a link may have been posted a million times, and each of its touches asks.
        let after = posts.firstPosition { $0.time > time }
        return after > 0 ? posts[after - 1].refs : Code.none
    }
}
