import Events
import InboundLinks
import Time

extension Oracle {
    struct ViralQuery {
        var span: Span
        var lookback: Duration = .days(7)
        var grouping: CreditGrouping = .ref
        /// `--within`
        var within: Duration?
    }

    /// `group, posts, posters, touches, people, untraced_touches, installs, k, posts_with_installs,
    /// cycle_median_seconds`
    func viral(_ query: ViralQuery) -> [[String]] {
        let posts = facts.filter { $0.feedPost != nil && query.span.contains($0.time) }
        /// docs/reports.md: "in the range", or "at most that long after a post of the range".
        func counts(_ time: Timestamp, _ post: Event?) -> Bool {
            guard let post else { return false }
            guard let within = query.within else { return query.span.contains(time) }
            let latest = post.occurredAt.advanced(by: within)
            return query.span.contains(post.occurredAt) && post.occurredAt <= time && time <= latest
        }
        let untraced = touches.filter { fact in
            query.span.contains(fact.time) && fact.touch?.post == nil && fact.touch?.refs.isEmpty == false
        }
        let touches = touches.filter { counts($0.time, $0.touch?.post) }
        let ever = Span(
            from: RandomStream.monday.advanced(by: .days(-4000)),
            to: query.span.to.advanced(by: .days(400))
        )
        let credits = credits(of: .install, goal: nil, in: ever, lookback: query.lookback, model: .last)
            .filter { $0.share == .one && counts($0.event.time, $0.touch?.post) }

        func groups(_ touch: TouchFact?) -> [Name] {
            guard let touch else { return [] }
            return query.grouping == .ref ? Self.rows(of: touch) : [Name(touch.channel.rawValue)]
        }
        func row(_ name: Name) -> [String] {
            let ofPosts = query.grouping == .channel ? posts : posts.filter { Self.postRows($0).contains(name) }
            let ofTouches = touches.filter { groups($0.touch).contains(name) }
            let ofCredits = credits.filter { groups($0.touch).contains(name) }
            let installs = Fraction.sum(ofCredits.map { $0.share / Fraction(groups($0.touch).count) })
            let ofUntraced = untraced.count { groups($0.touch).contains(name) }
            return cells(name, ofPosts, ofTouches, ofUntraced, ofCredits, installs)
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
        switch query.grouping {
        case .channel:
            return Channel.allCases.map { row(Name($0.rawValue)) } + [total]
        case .ref:
            let found = Set(
                posts.flatMap(Self.postRows) + (touches + untraced).flatMap { groups($0.touch) }
                    + credits.flatMap { groups($0.touch) }
            )
            let rows = Self.ordered(found.subtracting([.none]), by: .ref) { name in
                Fraction(posts.count { Self.postRows($0).contains(name) && $0.feedPost?.outcome == .posted })
            }
            .map(row)
            // A row for each ref with any count above zero.
            .filter { row in row.dropFirst().contains { $0 != "0" && $0 != "0.000000" && !$0.isEmpty } }
            return rows + [row(.none), total]
        }
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
