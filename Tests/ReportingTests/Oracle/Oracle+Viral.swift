import Events
import InboundLinks
import Time

/// docs/reports.md, *viral*.
extension Oracle {
    /// "Its keys are the post's."
    enum PostKey: String, CaseIterable {
        case ref, platform, composer, poster
    }

    struct PostCondition {
        var key: PostKey
        var values: [String]
        var isExclusion: Bool

        var text: String { "\(key.rawValue)\(isExclusion ? "!=" : "=")\(values.joined(separator: ","))" }

        func keeps(_ value: Name) -> Bool { values.map(Name.init).contains(value) != isExclusion }
    }

    struct ViralQuery {
        var span: Span
        var lookback: Duration = .days(7)
        var keys: [PostKey] = [.ref]
        /// `--within`
        var within: Duration?
        var conditions: [PostCondition] = []
        /// How many groups have rows of their own; nil for all.
        var limit: Int?
    }

    /// What has the properties of a post: the post, a touch or an install that came from it, or a touch that came from
    /// no known post.
    struct Brought<Thing> {
        var thing: Thing
        /// All values of each property. Only refs are several.
        var values: [PostKey: [Name]]
        var conditions: [PostCondition]

        /// The refs that are kept, or `(none)`.
        var refs: [Name] {
            (values[.ref] ?? []).filter { ref in conditions.filter { $0.key == .ref }.allSatisfy { $0.keeps(ref) } }
        }

        var isKept: Bool {
            let others = conditions.filter { $0.key != .ref }
            return !refs.isEmpty && others.allSatisfy { other in (values[other.key] ?? []).allSatisfy(other.keeps) }
        }

        /// The rows that it counts in: of several refs, that of each that is kept.
        func rows(_ keys: [PostKey]) -> [[Name]] {
            keys.reduce([[]]) { rows, key in
                rows.flatMap { row in (key == .ref ? refs : values[key] ?? []).map { row + [$0] } }
            }
        }
    }

    func values(_ refs: [Name], _ platform: Platform?, _ composer: Composer?, _ poster: Person?)
        -> [PostKey: [Name]]
    {
        [
            .ref: refs.isEmpty ? [.none] : refs, .platform: [platform.map { Name($0.rawValue) } ?? .none],
            .composer: [composer.map { Name($0.rawValue) } ?? .none], .poster: [poster?.name ?? .none],
        ]
    }

    /// What came from a post.
    func brought<Thing>(_ thing: Thing, by post: Event, _ conditions: [PostCondition]) -> Brought<Thing> {
        guard case .feedPost(let told) = post.content else { fatalError("no post") }
        let poster = people.person(of: post)
        let values = values(told.refs.map(Name.init), post.platform, told.composer, poster)
        return Brought(thing: thing, values: values, conditions: conditions)
    }

    /// - Returns: nil if it is no post.
    func posted(_ fact: Fact, _ conditions: [PostCondition]) -> Brought<Fact>? {
        guard let told = fact.feedPost else { return nil }
        let values = values(told.refs.map(Name.init), fact.platform, told.composer, fact.person)
        return Brought(thing: fact, values: values, conditions: conditions)
    }

    /// `group, posts, posters, touches, people, untraced_touches, installs, k, installs_per_post,
    /// posts_with_installs, cycle_median_seconds`
    ///
    /// Chosen: a touch from no known post has its own refs, and of all other properties `(none)`.
    func viral(_ query: ViralQuery) -> [[String]] {
        func brought<Thing>(_ thing: Thing, by post: Event) -> Brought<Thing> {
            self.brought(thing, by: post, query.conditions)
        }
        /// docs/reports.md: "in the range", or "at most that long after a post of the range".
        func counts(_ time: Timestamp, _ post: Event?) -> Bool {
            guard let post else { return false }
            guard let within = query.within else { return query.span.contains(time) }
            let latest = post.occurredAt.advanced(by: within)
            return query.span.contains(post.occurredAt) && post.occurredAt <= time && time <= latest
        }

        let allPosts = facts.compactMap { fact -> Brought<Fact>? in
            guard fact.feedPost?.outcome == .posted, query.span.contains(fact.time) else { return nil }
            return self.posted(fact, query.conditions)
        }
        let allTouches = touches.compactMap { fact in
            fact.touch?.post.flatMap { counts(fact.time, $0) ? brought(fact, by: $0) : nil }
        }
        let allUntraced = touches.compactMap { fact -> Brought<Fact>? in
            guard let touch = fact.touch, touch.post == nil, !touch.refs.isEmpty, query.span.contains(fact.time) else {
                return nil
            }
            return Brought(thing: fact, values: values(touch.refs, nil, nil, nil), conditions: query.conditions)
        }
        let ever = Span(
            from: RandomStream.monday.advanced(by: .days(-4000)),
            to: query.span.to.advanced(by: .days(400))
        )
        let allInstalls = credits(of: .install, goal: nil, in: ever, lookback: query.lookback, model: .last)
            .filter { $0.share > .zero && counts($0.event.time, $0.touch?.post) }
            .compactMap { credit in credit.touch?.post.map { brought(credit, by: $0) } }
        let (posts, touches) = (allPosts.filter(\.isKept), allTouches.filter(\.isKept))
        let (untraced, installs) = (allUntraced.filter(\.isKept), allInstalls.filter(\.isKept))

        /// - Parameter groups: those of the row, in each of which a thing counts; nil stands for all things.
        func row(_ name: String, _ groups: [[Name]?]) -> [String] {
            func own<Thing>(_ things: [Brought<Thing>], _ group: [Name]?) -> [Brought<Thing>] {
                things.filter { thing in group.map(thing.rows(query.keys).contains) ?? true }
            }
            func own<Thing>(_ things: [Brought<Thing>]) -> [Thing] {
                groups.flatMap { own(things, $0) }.map(\.thing)
            }
            let (ofPosts, ofTouches) = (own(posts), own(touches))
            let posters = Set(ofPosts.compactMap(\.person)).count
            let refs = groups.map { group in query.keys.firstIndex(of: .ref).flatMap { group?[$0] } }
            let sums = zip(groups, refs).flatMap { group, ref in
                own(installs, group).map { install in
                    // Each ref of the post has the same part of the install.
                    let parts = Self.parts(of: .one, install.values[.ref] ?? [])
                    let kept = ref.map { [$0] } ?? install.refs
                    return Fraction.sum(parts.filter { kept.contains($0.row) }.map(\.share))
                }
            }
            /// "Empty if no touch of the ref can be traced to a post, though there are touches with the ref."
            func hasRef<Thing>(_ brought: Brought<Thing>) -> Bool {
                refs.contains { ref in
                    ref.map { $0 != .none && brought.refs.contains($0) } ?? !brought.refs.isEmpty
                }
            }
            let isTraced = allTouches.contains(where: hasRef) || allInstalls.contains(where: hasRef)
            let isUntraceable = !isTraced && allUntraced.contains(where: hasRef)
            let cycles = groups.flatMap { Self.cycles(own(installs, $0).map(\.thing), in: query.span) }
            let installed = Fraction.sum(sums)
            return [
                name, String(ofPosts.count), String(posters), String(ofTouches.count),
                String(Set(ofTouches.compactMap(\.person)).count), String(own(untraced).count), Cell.amount(installed),
                isUntraceable ? Cell.undefined : Cell.rate(installed, of: Fraction(posters)),
                isUntraceable ? Cell.undefined : Cell.rate(installed, of: Fraction(ofPosts.count)),
                String(cycles.count), Self.medianSeconds(cycles),
            ]
        }
        if query.keys.isEmpty { return [row("total", [nil])] }
        let found = Set(
            posts.flatMap { $0.rows(query.keys) } + (touches + untraced).flatMap { $0.rows(query.keys) }
                + installs.flatMap { $0.rows(query.keys) } + (query.keys == [.ref] ? [[.none]] : [])
        )
        func posted(_ names: [Name]) -> Int { posts.count { $0.rows(query.keys).contains(names) } }
        let nameless = found.filter { $0.allSatisfy { $0 == .none } }
        let largest = found.subtracting(nameless).sorted { one, other in
            posted(one) == posted(other) ? one.lexicographicallyPrecedes(other) : posted(one) > posted(other)
        }
        let shown = Set(largest.prefix(query.limit ?? largest.count))
        // "By the first count, then by name. Rows without the first property come last, before them those without the
        // second."
        func place(_ names: [Name]) -> (Int, Int) {
            (names[0] == .none ? 1 : 0, names[names.count - 1] == .none ? 1 : 0)
        }
        let named = largest.filter(shown.contains).enumerated().sorted { one, other in
            place(one.element) == place(other.element)
                ? one.offset < other.offset : place(one.element) < place(other.element)
        }
        func rows(_ names: some Sequence<[Name]>) -> [[String]] {
            names.map { row($0.map(\.text).joined(separator: " / "), [$0]) }
        }
        let others = largest.filter { !shown.contains($0) }
        return rows(named.map(\.element)) + (others.isEmpty ? [] : [row("(others)", others)]) + rows(nameless)
            + [row("total", [nil])]
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
