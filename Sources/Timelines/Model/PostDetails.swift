package import Events
import InboundLinks

/// What is known of each post that touches may have come from. It is read once for a report, and the report's readers
/// share it: 32 bytes for each post, or 16 if none is asked for by its event, and the texts.
package struct PostDetails: Sendable {
    /// What is known of one post.
    package struct Detail: Sendable {
        /// A code of `posters`; none for an anonymous post, and for a query that does not need posters.
        package var poster = Code.none
        /// A list of the dictionary's refs.
        package var refs = Code.none
        package var platform: Platform?
        package var composer: Composer?
        /// A code of `actionTypes`.
        package var actionType = Code.none
        /// A code of `objects`.
        package var object = Code.none
    }

    private struct Facts {
        var poster = Code.none
        var refs = Code.none
        /// The position in `stories`; −1: it is no Open Graph story.
        var story: Int32 = -1
        var platform: Platform?
        var composer: Composer?
    }

    private struct Entry {
        var event: EventID
        var facts: Facts
    }

    /// People who posted, as the keys of people.
    package internal(set) var posters = CodeTable()
    package internal(set) var actionTypes = CodeTable()
    package internal(set) var objects = CodeTable()
    /// Ordered by event.
    private var entries: [Entry] = []
    /// In the order of some posts, instead of `entries` (``arranged(for:)``).
    private var facts: [Facts] = []
    /// What Open Graph stories say.
    private var stories: [(actionType: Code, object: Code)] = []

    var count: Int { entries.count }

    /// In bytes.
    var size: Int {
        entries.count * MemoryLayout<Entry>.stride + facts.count * MemoryLayout<Facts>.stride + stories.count * 8
            + posters.size + actionTypes.size + objects.size
    }

    /// Details of no posts. Callers append each post, and call ``finish()`` at the end.
    init() {}

    mutating func append(_ event: EventID, _ detail: Detail) {
        entries.append(
            Entry(
                event: event,
                facts: Facts(
                    poster: detail.poster,
                    refs: detail.refs,
                    platform: detail.platform,
                    composer: detail.composer
                )
            )
        )
        addStory(detail.actionType, detail.object)
    }

    /// Adds what the last entry's story says.
    private mutating func addStory(_ actionType: Code, _ object: Code) {
        if actionType.isNone, object.isNone { return }
        if stories.last.map({ $0.actionType == actionType && $0.object == object }) != true {
            stories.append((actionType, object))
        }
        entries[entries.count - 1].facts.story = Int32(stories.count - 1)
    }

    mutating func finish() {
        entries.sort { $0.event < $1.event }
        posters.forgetHashes()
        actionTypes.forgetHashes()
        objects.forgetHashes()
    }

    /// The same in the order of some posts: a half of the memory, but no post is found by its event.
    func arranged(for posts: [EventID]) -> PostDetails {
        var arranged = self
        arranged.facts = posts.map { event in place(of: event).map { entries[Int($0)].facts } ?? Facts() }
        arranged.entries = []
        return arranged
    }

    /// Where a post's details are, nil if there are none.
    package func place(of event: EventID) -> Int32? {
        let position = entries.firstPosition { $0.event >= event }
        return position < entries.count && entries[position].event == event ? Int32(position) : nil
    }

    /// What is known of the post of an event, nil if nothing is.
    package func detail(of event: EventID) -> Detail? { place(of: event).map { self[$0] } }

    /// - Parameter place: of ``place(of:)``, or that of a post for which the details are arranged.
    package subscript(place: Int32) -> Detail {
        let own = facts.isEmpty ? entries[Int(place)].facts : facts[Int(place)]
        var detail = Detail(poster: own.poster, refs: own.refs, platform: own.platform, composer: own.composer)
        if own.story >= 0 { (detail.actionType, detail.object) = stories[Int(own.story)] }
        return detail
    }
}
