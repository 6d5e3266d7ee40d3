import Events
import Timelines

/// Who posted what: 20 bytes for each post, to find who invited whom.
///
/// People who installed are numbers from 0. Strangers, who never did, only have numbers here, below 0.
struct Posters {
    private var posts = PagedArray<EventID>()
    /// By post.
    private var posters = PagedArray<Int32>()
    /// How many they are.
    private(set) var strangers: Int32 = 0

    /// The number of the next stranger.
    var nextStranger: Int32 { -1 - strangers }
    /// How many posts there are.
    var count: Int { posts.count }
    var heldSize: Int { posts.heldSize + posters.heldSize }

    mutating func append(_ post: EventID, by poster: Int32) {
        posts.append(post)
        posters.append(poster)
        strangers = max(strangers, -poster)
    }

    /// - Parameter offset: what to add to the numbers of other people.
    mutating func merge(_ other: Posters, offset: Int32) {
        let strangers = strangers
        for (post, poster) in zip(other.posts, other.posters) {
            append(post, by: poster < 0 ? poster - strangers : poster + offset)
        }
    }

    /// By person: who posted what their install is credited to; −1 if nobody is known. Then −1 for each stranger who is
    /// one of those: from here on, they have the numbers after all others.
    ///
    /// - Parameters:
    ///   - people: how many installed.
    ///   - credited: the post that a person's install is credited to.
    func inviters(of people: Int, _ credited: (Int) -> EventID?) -> [Int32] {
        /// Those that brought somebody, which are fewer than all.
        let bringing = (0..<people).compactMap(credited).sorted()
        func position(of post: EventID) -> Int? {
            let position = bringing.firstPosition { $0 >= post }
            return position < bringing.count && bringing[position] == post ? position : nil
        }
        var known = Array(repeating: Int32(-1), count: bringing.count)
        var numbers: [Int32: Int32] = [:]
        for (post, poster) in zip(posts, posters) {
            guard let position = position(of: post) else { continue }
            let next = Int32(truncatingIfNeeded: people + numbers.count)
            known[position] = poster < 0 ? numbers[poster, default: next] : poster
            if poster < 0 { numbers[poster] = known[position] }
        }
        var inviters: [Int32] = []
        inviters.reserveCapacity(people + numbers.count)
        for person in 0..<people {
            inviters.append(credited(person).flatMap(position).map { known[$0] } ?? -1)
        }
        inviters += repeatElement(-1, count: numbers.count)
        return inviters
    }
}
