import Events
import Timelines

/// Finds the rows of feed posts and of what they brought, by one or two properties of the post, and which posts the
/// conditions of a report keep.
final class PostGroups {
    /// The properties of one post. A ref, a platform and a composer are numbers of the run, a poster is one of this
    /// value.
    struct Post {
        /// A list of the dictionary's refs.
        fileprivate var refs: Code
        fileprivate var platform: Int?
        fileprivate var composer: Int?
        fileprivate var poster: Int?
    }

    private struct Condition {
        var key: PostKey
        /// Nil stands for posts without the property.
        var numbers: Set<Int?>
        var isExclusion: Bool

        func isMet(by number: Int?) -> Bool { numbers.contains(number) != isExclusion }
    }

    private let keys: [PostKey]
    private let dictionary: TimelineDictionary
    private let needsPosters: Bool
    /// The ids of people who posted. Other values number them differently.
    private var posters = CodeTable()
    private var refConditions: [Condition] = []
    private var otherConditions: [Condition] = []

    /// - Parameter keys: up to two, different. Without keys there are no rows.
    init(by keys: [PostKey], _ filter: Filter<PostKey>, _ dictionary: TimelineDictionary) {
        self.keys = keys
        self.dictionary = dictionary
        needsPosters = Self.needsPosters(keys, filter)
        for condition in filter.conditions {
            let numbers = Set(condition.values.map { number(of: condition.key, named: $0) })
            let known = Condition(key: condition.key, numbers: numbers, isExclusion: condition.isExclusion)
            if condition.key == .ref { refConditions.append(known) } else { otherConditions.append(known) }
        }
    }

    /// How many bytes the posters take.
    var size: Int { posters.size }

    /// Whether more than the posts themselves must be known.
    static func needsDetails(_ keys: [PostKey], _ filter: Filter<PostKey>) -> Bool {
        !keys.isEmpty || !filter.conditions.isEmpty
    }

    static func needsPosters(_ keys: [PostKey], _ filter: Filter<PostKey>) -> Bool {
        keys.contains(.poster) || filter.conditions.contains { $0.key == .poster }
    }

    private func number(of key: PostKey, named name: String) -> Int? {
        if name == ReportNames.none { return nil }
        return switch key {
        case .ref: dictionary.ref(name).index
        case .platform: Platform(rawValue: name)?.position
        case .composer: Composer(rawValue: name)?.position
        case .poster: posters.code(of: name).index
        }
    }

    /// The post that touches came from.
    ///
    /// - Parameter code: one of the dictionary's `storyPosts`.
    func post(_ code: Code) -> Post {
        guard let detail = dictionary.storyPosts.detail(of: code) else { return Post(refs: .none) }
        return Post(
            refs: detail.refs,
            platform: detail.platform?.position,
            composer: detail.composer?.position,
            poster: needsPosters ? poster(of: detail) : nil
        )
    }

    /// The post of an event. Packed timelines do not tell who its person is.
    func post(_ event: TimelineEvent) -> Post {
        Post(
            refs: event.refs,
            platform: event.platform?.position,
            composer: event.composer?.position,
            poster: needsPosters ? dictionary.storyPosts.details?.detail(of: event.id).flatMap(poster(of:)) : nil
        )
    }

    /// A post of which nothing is known but the refs of a touch that came from it.
    func unknownPost(refs: Code) -> Post { Post(refs: refs) }

    /// The first byte of a person's key says whether it is a user, a device or a click.
    private func poster(of detail: PostDetails.Detail) -> Int? {
        guard !detail.poster.isNone, let details = dictionary.storyPosts.details else { return nil }
        return posters.code(ofBytes: details.posters.bytes(of: detail.poster).dropFirst()).index
    }

    /// Whether a post, or the part of it for one of its refs, is kept.
    func keeps(_ post: Post) -> Bool {
        guard keepsWithoutRefs(post) else { return false }
        if refConditions.isEmpty { return true }
        let refs = dictionary.refs(of: post.refs)
        return refs.isEmpty ? keeps(ref: nil) : refs.contains { keeps(ref: $0.index) }
    }

    /// The part of the credit of one event that is kept: each ref of the post has the same share.
    func kept(of post: Post) -> Int64 {
        guard keepsWithoutRefs(post) else { return 0 }
        if refConditions.isEmpty { return CreditUnits.one }
        var kept: Int64 = 0
        forEachKeptRef(of: post) { _, index, count in
            kept += CreditUnits.share(index, of: count, of: CreditUnits.one)
        }
        return kept
    }

    private func keepsWithoutRefs(_ post: Post) -> Bool {
        otherConditions.allSatisfy { $0.isMet(by: value(of: $0.key, post)) }
    }

    private func keeps(ref: Int?) -> Bool { refConditions.allSatisfy { $0.isMet(by: ref) } }

    private func value(of key: PostKey, _ post: Post) -> Int? {
        switch key {
        case .ref: nil
        case .platform: post.platform
        case .composer: post.composer
        case .poster: post.poster
        }
    }

    /// Calls `body` with each ref of a post that is kept, as far as refs decide, the ref's place among all refs of the
    /// post, and their number. A post without refs has one, which is nil.
    func forEachKeptRef(of post: Post, _ body: (Int?, Int, Int) -> Void) {
        let refs = dictionary.refs(of: post.refs)
        if refs.isEmpty, keeps(ref: nil) { body(nil, 0, 1) }
        for (index, ref) in refs.enumerated() where keeps(ref: ref.index) { body(ref.index, index, refs.count) }
    }

    /// Calls `body` with each row of a post that is kept, the row's place among all rows of the post, and their number.
    func forEachRow(of post: Post, _ body: (GroupKey, Int, Int) -> Void) {
        if keys.isEmpty { return }
        guard keys.contains(.ref) else { return body(row(of: post, ref: nil), 0, 1) }
        forEachKeptRef(of: post) { ref, index, count in body(row(of: post, ref: ref), index, count) }
    }

    private func row(of post: Post, ref: Int?) -> GroupKey {
        func part(_ key: PostKey) -> GroupKey { GroupKey(number: key == .ref ? ref : value(of: key, post)) }
        return keys.count == 1 ? part(keys[0]) : GroupKey(part(keys[0]), part(keys[1]))
    }

    /// The ref of a row; nil also if rows are not of refs.
    func ref(of row: GroupKey) -> Int? {
        keys.firstIndex(of: .ref).flatMap { $0 == 0 ? row.number : row.second }
    }

    /// The names of a row, one for each key.
    func names(of row: GroupKey) -> [String] {
        zip(keys, [row.number, row.second]).map { key, number in
            guard let number else { return ReportNames.none }
            let code = Code(rawValue: Int32(number))
            return switch key {
            case .ref: dictionary.refs.text(of: code)
            case .platform: Platform.allCases[number].rawValue
            case .composer: Composer.allCases[number].rawValue
            case .poster: posters.text(of: code)
            }
        }
    }

    /// Adds the posters of another value.
    ///
    /// - Returns: the number here of each of them.
    func merge(_ other: PostGroups) -> [Int] {
        (0..<other.posters.count).map {
            posters.code(ofBytes: other.posters.bytes(of: Code(rawValue: Int32($0)))).index
        }
    }

    /// A row of another value.
    ///
    /// - Parameter posters: what ``merge(_:)`` returned.
    func row(_ row: GroupKey, renumbering posters: [Int]) -> GroupKey {
        guard let position = keys.firstIndex(of: .poster) else { return row }
        let numbers = [row.number, row.second].enumerated().map { index, number in
            GroupKey(number: index == position ? number.map { posters[$0] } : number)
        }
        return keys.count == 1 ? numbers[0] : GroupKey(numbers[0], numbers[1])
    }
}
