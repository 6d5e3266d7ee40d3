import Events
import Time
import InboundLinks

extension Oracle {
    /// `ref, composer, posted, cancelled, failed, unconfirmed, post_rate, posters`
    ///
    /// Chosen: a row for each pair of ref and composer that has a post; a post without a composer is in `(none)`.
    /// Sorted by `posted`, then ref, then composer, with the rows of the ref `(none)` after the others. Then comes
    /// `total`, without a composer, in which every post counts once.
    ///
    /// - Parameters:
    ///   - conditions: "as in `viral`: a post with several refs is one part for each".
    ///   - shown: the pairs with a ref that have rows of their own; nil for all. A post counts in `(others)` for each
    ///     of its other pairs.
    func posts(_ span: Span, where conditions: [PostCondition] = [], showing shown: Set<[Name]>? = nil) -> [[String]] {
        let kept = facts.filter { span.contains($0.time) }.compactMap { self.posted($0, conditions) }.filter(\.isKept)
        let posts = kept.map(\.thing)
        var rows: [(ref: Name, composer: Name, posts: [Fact])] = []
        for ref in Set(kept.flatMap(\.refs)) {
            let ofRef = kept.filter { $0.refs.contains(ref) }.map(\.thing)
            for composer in Set(ofRef.map(Self.composer)) {
                rows.append((ref, composer, ofRef.filter { Self.composer(of: $0) == composer }))
            }
        }
        func posted(_ posts: [Fact]) -> Int {
            posts.count { $0.feedPost?.outcome == .posted }
        }
        rows.sort { first, second in
            if (first.ref == .none) != (second.ref == .none) { return second.ref == .none }
            if posted(first.posts) != posted(second.posts) { return posted(first.posts) > posted(second.posts) }
            return (first.ref, first.composer) < (second.ref, second.composer)
        }
        func cells(_ rows: [(ref: Name, composer: Name, posts: [Fact])]) -> [[String]] {
            rows.map { [$0.ref.text, $0.composer.text] + Self.postCells($0.posts) }
        }
        let (named, nameless) = (rows.filter { $0.ref != .none }, rows.filter { $0.ref == .none })
        func isShown(_ ref: Name, _ composer: Name) -> Bool { shown?.contains([ref, composer]) ?? true }
        let others = named.filter { !isShown($0.ref, $0.composer) }
        let ofOthers = [Name.others.text, Cell.undefined] + Self.postCells(others.flatMap(\.posts))
        return cells(named.filter { isShown($0.ref, $0.composer) }) + (others.isEmpty ? [] : [ofOthers])
            + cells(nameless) + [[Name.total.text, Cell.undefined] + Self.postCells(posts)]
    }

    private static func composer(of fact: Fact) -> Name {
        fact.feedPost?.composer.map { Name($0.rawValue) } ?? .none
    }

    struct EachPostQuery {
        var span: Span
        var goal: String?
        var lookback: Duration = .days(7)
        /// A column, in its usual order or in the opposite one: `touches:reverse`.
        var sort = "touches"
        var limit = 50
        /// "A post is kept whole if one of its refs is."
        var conditions: [PostCondition] = []
        /// Whether the answer has what only the database tells.
        var isNamed = false
    }

    static let eachPostSorts = ["touches", "people", "installs", "conversions", "value", "posted_at"]

    /// `post, posted_at, poster, ref, composer, link, touches, people, installs, conversions, value`, the post by its
    /// event, and without what only the database tells, unless the query asks for it.
    ///
    /// "A row for each feed post of the range with the outcome `posted`, and for any other of the range that something
    /// came from."
    func eachPost(_ query: EachPostQuery) -> [[String]] {
        func post(_ fact: Fact?) -> Event? {
            fact?.link?.post.flatMap { post in
                let isKept = brought(post, by: post, query.conditions).isKept
                return isKept && query.span.contains(post.occurredAt) ? post : nil
            }
        }
        let touches = touches.filter { query.span.contains($0.time) && post($0) != nil }
        func credits(_ credited: Credited) -> [Credit] {
            self.credits(of: credited, goal: query.goal, in: query.span, lookback: query.lookback, model: .last)
                .filter { $0.share > .zero && post($0.from) != nil }
        }
        let (installs, conversions) = (credits(.install), credits(.conversion))
        func figures(_ isCounted: (Event) -> Bool) -> [String] {
            func isIn(_ fact: Fact?) -> Bool { post(fact).map(isCounted) ?? false }
            let own = touches.filter(isIn)
            let converted = conversions.filter { isIn($0.from) }
            return [
                String(own.count), String(Set(own.compactMap(\.person)).count),
                Cell.amount(.sum(installs.filter { isIn($0.from) }.map(\.share))),
                Cell.amount(.sum(converted.map(\.share))), Cell.amount(.sum(converted.map(\.value))),
            ]
        }
        var rows: [EventID: (time: Timestamp, poster: Person?, post: FeedPost)] = [:]
        for fact in facts where query.span.contains(fact.time) {
            guard let post = fact.feedPost, post.outcome == .posted,
                self.posted(fact, query.conditions)?.isKept == true
            else { continue }
            rows[fact.eventID] = (fact.time, fact.person, post)
        }
        for event in (touches + (installs + conversions).compactMap(\.from)).compactMap(post) {
            guard case .feedPost(let post) = event.content else { continue }
            rows[event.id] = (event.occurredAt, people.person(of: event), post)
        }
        let sorted = rows.map { id, row in (event: id, row: row, figures: figures { $0.id == id }) }
            .sorted { one, other in
                let sort = query.sort.split(separator: ":")
                if sort[0] == "posted_at" {
                    if one.row.time != other.row.time { return (one.row.time > other.row.time) == (sort.count == 1) }
                } else {
                    let column = Self.eachPostSorts.firstIndex { $0 == sort[0] } ?? 0
                    let sums = (Double(one.figures[column]) ?? 0, Double(other.figures[column]) ?? 0)
                    if sums.0 != sums.1 { return (sums.0 > sums.1) == (sort.count == 1) }
                }
                let counts = (Int(one.figures[0]) ?? 0, Int(other.figures[0]) ?? 0)
                if counts.0 != counts.1 { return counts.0 > counts.1 }
                return (one.row.time, one.event) < (other.row.time, other.event)
            }
        let shown = sorted.prefix(query.limit)
        let names = Set(shown.map(\.event))
        var cells = shown.map { shown in
            let post = shown.row.post
            let event = shown.event.description
            let name = query.isNamed ? post.postID ?? post.link ?? event : event
            let said = [
                shown.row.poster?.name.text ?? "", post.refs.joined(separator: ","), post.composer?.rawValue ?? "",
                post.link ?? "",
            ]
            return [name, shown.row.time.rfc3339] + (query.isNamed ? said : said.map { _ in "" }) + shown.figures
        }
        if shown.count < sorted.count {
            cells.append(["(others)", "", "", "", "", ""] + figures { !names.contains($0.id) })
        }
        return cells + [["total", "", "", "", "", ""] + figures { _ in true }]
    }
}
