import Events
import Time
import InboundLinks

extension Oracle {
    /// `ref, composer, posted, cancelled, failed, unconfirmed, post_rate, posters`
    ///
    /// Chosen: a row for each pair of ref and composer that has a post; a post without a composer is in `(none)`.
    /// Sorted by `posted`, then ref, then composer, with the rows of the ref `(none)` after the others. Then comes
    /// `total`, without a composer, in which every post counts once.
    func posts(_ span: Span) -> [[String]] {
        let posts = facts.filter { $0.feedPost != nil && span.contains($0.time) }
        var rows: [(ref: Name, composer: Name, posts: [Fact])] = []
        for ref in Set(posts.flatMap(Self.postRows)) {
            let ofRef = posts.filter { Self.postRows($0).contains(ref) }
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
        return rows.map { [$0.ref.text, $0.composer.text] + Self.postCells($0.posts) }
            + [[Name.total.text, Cell.undefined] + Self.postCells(posts)]
    }

    private static func composer(of fact: Fact) -> Name {
        fact.feedPost?.composer.map { Name($0.rawValue) } ?? .none
    }
}
