import Events
import InboundLinks
import Time

extension Oracle {
    struct ViralQuery {
        var span: Span
        var lookback: Duration = .days(7)
        var grouping: Grouping = .ref
        /// `--within`
        var within: Duration?
    }

    /// `group, posts, posters, touches, people, untraced_touches, installs, k, posts_with_installs,
    /// cycle_median_seconds`
    func viral(_ query: ViralQuery) -> [[String]] {
        let posts = facts.filter { $0.feedPost != nil && query.span.contains($0.time) && ofPosts.isKept($0) }
        /// "A post has a ref and a platform": by other properties, all posts are in every row.
        let groupsPosts = query.grouping == .ref || query.grouping == .platform
        /// docs/reports.md: "in the range", or "at most that long after a post of the range".
        func counts(_ time: Timestamp, _ post: Event?) -> Bool {
            guard let post else { return false }
            guard let within = query.within else { return query.span.contains(time) }
            let latest = post.occurredAt.advanced(by: within)
            return query.span.contains(post.occurredAt) && post.occurredAt <= time && time <= latest
        }
        let untraced = touches.filter { fact in
            query.span.contains(fact.time) && fact.touch?.post == nil && fact.touch?.refs.isEmpty == false
                && isKept(fact)
        }
        let touches = touches.filter { counts($0.time, $0.touch?.post) && isKept($0) }
        let ever = Span(
            from: RandomStream.monday.advanced(by: .days(-4000)),
            to: query.span.to.advanced(by: .days(400))
        )
        let credits = credits(of: .install, goal: nil, in: ever, lookback: query.lookback, model: .last)
            .filter { $0.share > .zero && counts($0.event.time, $0.touch?.post) }

        func groups(_ fact: Fact?) -> [Name] {
            fact.map { self.groups(of: $0, by: query.grouping) } ?? []
        }
        func postsOf(_ name: Name) -> [Fact] {
            groupsPosts ? posts.filter { ofPosts.groups(of: $0, by: query.grouping).contains(name) } : posts
        }
        func row(_ name: Name) -> [String] {
            let ofTouches = touches.filter { groups($0).contains(name) }
            let ofCredits = credits.filter { groups($0.from).contains(name) }
            let installs = Fraction.sum(ofCredits.map { $0.share / Fraction(groups($0.from).count) })
            let ofUntraced = untraced.count { groups($0).contains(name) }
            return cells(name, postsOf(name), ofTouches, ofUntraced, ofCredits, installs)
        }
        func cells(
            _ name: Name,
            _ posts: [Fact],
            _ touches: [Fact],
            _ untraced: Int,
            _ credits: [Credit],
            _ installs: Fraction
        ) -> [String] {
            let posted = posts.filter { $0.feedPost?.outcome == .posted }
            let posters = Set(posted.compactMap(\.person)).count
            let cycles = Self.cycles(credits, in: query.span)
            return [
                name.text, String(posted.count), String(posters), String(touches.count),
                String(Set(touches.compactMap(\.person)).count), String(untraced), Cell.amount(installs),
                // "Empty if there are untraced touches and no traced ones."
                untraced > 0 && touches.isEmpty && installs == .zero
                    ? Cell.undefined : Cell.rate(installs, of: Fraction(posters)),
                String(cycles.count), Self.medianSeconds(cycles),
            ]
        }
        let total = cells(.total, posts, touches, untraced.count, credits, .sum(credits.map(\.share)))
        if query.grouping == .channel { return Channel.allCases.map { row(Name($0.rawValue)) } + [total] }
        let found = Set(
            (groupsPosts ? posts.flatMap { ofPosts.groups(of: $0, by: query.grouping) } : [])
                + (touches + untraced).flatMap(groups) + credits.flatMap { groups($0.from) }
        )
        /// Whether anything is counted in a row that is its own.
        func isShown(_ row: [String]) -> Bool {
            row.dropFirst(groupsPosts ? 1 : 3).contains { $0 != "0" && $0 != "0.000000" && !$0.isEmpty }
        }
        let rows = Self.ordered(found.subtracting([.none]), by: query.grouping) { name in
            Fraction(postsOf(name).count { $0.feedPost?.outcome == .posted })
        }
        .map(row)
        .filter(isShown)
        let none = row(.none)
        return rows + (query.grouping == .ref || isShown(none) ? [none] : []) + [total]
    }

    /// Microseconds from each post in the range to its first install.
    private static func cycles(_ credits: [Credit], in span: Span) -> [Int64] {
        Dictionary(grouping: credits) { $0.touch?.post?.id }.values.compactMap { ofPost in
            guard let post = ofPost.first?.touch?.post, span.contains(post.occurredAt) else { return nil }
            return ofPost.map { max(0, $0.event.time.microseconds - post.occurredAt.microseconds) }.min()
        }
    }

    private static func medianSeconds(_ microseconds: [Int64]) -> String {
        let sorted = microseconds.sorted()
        guard !sorted.isEmpty else { return Cell.undefined }
        let middle = Int128(sorted[sorted.count / 2]) + Int128(sorted[(sorted.count - 1) / 2])
        return Cell.amount(Fraction(middle, 2_000_000))
    }
}
