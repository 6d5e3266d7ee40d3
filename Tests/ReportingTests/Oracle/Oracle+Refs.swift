import Events
import InboundLinks

extension Oracle {
    struct RefsQuery {
        var span: Span
        var goal: String?
        var lookback: Duration = .days(7)
        /// Read by `OracleQuestion`.
        var period: PeriodLength?
        /// How many refs have rows of their own; nil for all. Read by `OracleQuestion`.
        var limit: Int?
    }

    /// `ref, posts, cancelled, failed, unconfirmed, post_rate, posters, touches, people, authenticated_touches,
    /// installs, conversions, value, touches_per_post, installs_per_poster`
    ///
    /// "In `total`, `touches_per_post` and `installs_per_poster` are of what has a ref alone, each touch, post, poster
    /// and install counted once."
    ///
    /// - Parameter shown: the refs that have rows of their own; nil for all.
    func refs(_ query: RefsQuery, showing shown: Set<Name>? = nil) -> [[String]] {
        let posts = facts.filter { $0.feedPost != nil && query.span.contains($0.time) && ofPosts.isKept($0) }
        let touches = touches.filter { query.span.contains($0.time) && isKept($0) }
        let credited = LastTouch(self, span: query.span, goal: query.goal, lookback: query.lookback, by: .ref)

        func postsOf(_ row: Name) -> [Fact] {
            posts.filter { groups(of: $0, by: .ref).contains(row) }
        }
        func touchesOf(_ row: Name) -> [Fact] {
            touches.filter { groups(of: $0, by: .ref).contains(row) }
        }
        func cells(_ name: Name, _ posts: [Fact], _ touches: [Fact], _ credits: [String], _ installs: Fraction)
            -> [String]
        {
            let posted = posts.filter { $0.feedPost?.outcome == .posted }
            let posters = Set(posted.compactMap(\.person)).count
            return [name.text] + Self.postCells(posts) + Self.touchCells(touches) + credits + [
                Cell.rate(touches.count, of: posted.count),
                Cell.rate(installs, of: Fraction(posters)),
            ]
        }
        func row(_ name: Name) -> [String] {
            cells(name, postsOf(name), touchesOf(name), credited.cells(of: name), credited.installs(of: name))
        }

        let found = Set((posts + touches).flatMap { groups(of: $0, by: .ref) })
            .union(credited.names)
            .subtracting([.none, .direct])
        let named = Self.ordered(found, by: .ref) { name in
            Fraction(postsOf(name).count { $0.feedPost?.outcome == .posted })
        }
        let ofRefs = cells(
            .total,
            posts.filter { Self.postRows($0) != [.none] },
            touches.filter { ($0.touch.map(Self.rows) ?? []) != [.none] },
            [],
            Fraction.sum(credited.names.subtracting([.none, .direct]).map(credited.installs))
        )
        // A touch or a post counts in the row of each of its refs, also if these are rows of `(others)`.
        func isOther(_ name: Name) -> Bool { name != .none && !(shown?.contains(name) ?? true) }
        func inOthers(_ facts: [Fact]) -> [Fact] {
            facts.flatMap { fact in groups(of: fact, by: .ref).filter(isOther).map { _ in fact } }
        }
        let others = found.filter(isOther)
        let ofOthers = cells(
            .others,
            inOthers(posts),
            inOthers(touches),
            credited.cells(of: others),
            credited.installs(of: others)
        )
        return named.filter { !isOther($0) }.map(row) + (others.isEmpty ? [] : [ofOthers]) + [
            row(.none),
            cells(.direct, [], [], credited.cells(of: .direct), credited.installs(of: .direct)),
            cells(.total, posts, touches, credited.totalCells, credited.totalInstalls).dropLast(2) + ofRefs.suffix(2),
        ]
    }

    /// The rows of a report by ref that a post counts in.
    static func postRows(_ fact: Fact) -> [Name] {
        guard let post = fact.feedPost else { return [] }
        return post.refs.isEmpty ? [.none] : post.refs.map(Name.init)
    }

    /// `posted, cancelled, failed, unconfirmed, post_rate, posters`
    static func postCells(_ posts: [Fact]) -> [String] {
        func count(_ outcome: PostOutcome) -> Int {
            posts.count { $0.feedPost?.outcome == outcome }
        }
        let posters = Set(posts.filter { $0.feedPost?.outcome == .posted }.compactMap(\.person))
        return [
            String(count(.posted)), String(count(.cancelled)), String(count(.failed)), String(count(.unconfirmed)),
            Cell.rate(count(.posted), of: count(.posted) + count(.cancelled)),
            String(posters.count),
        ]
    }
}
