import Events
import InboundLinks
import RandomTesting
import Time

/// Random parameters of reports about a random stream, seeded.
struct RandomQuestions {
    var random: SeededRandom
    let stream: RandomStream

    init(seed: UInt64, stream: RandomStream) {
        random = SeededRandom(seed: seed &* 131 &+ 3)
        self.stream = stream
    }

    /// Mostly the stream's range; otherwise one with other ends, or an empty one.
    mutating func span() -> Oracle.Span {
        let shift = random.pick([Duration.zero, .zero, .zero, .days(-90), .days(-7), .seconds(1), .microseconds(1)])
        let from = stream.from.advanced(by: shift)
        return Oracle.Span(from: from, to: random.chance(5) ? from : stream.to)
    }

    mutating func links() -> Oracle.LinksQuery {
        Oracle.LinksQuery(span: span(), goal: goal(), lookback: lookback(), limit: optionalLimit())
    }

    mutating func goal() -> String? {
        random.pickOrNone(RandomStream.goals, percent: 40)
    }

    /// At most 90 days are allowed.
    mutating func lookback() -> Duration {
        random.pick([.days(7), .days(7), .days(1), .days(90), .seconds(1), .seconds(3_600)])
    }

    mutating func funnel() -> Oracle.FunnelQuery {
        let kinds = [
            "inbound_link", "authentication", "conversion", "touch", "link_click", "install", "feed_post",
            "conversion:buy", "conversion:level",
        ]
        let first = ["inbound_link", "touch", "link_click", "inbound_link"]
        let start = random.chance(85) ? random.pick(first) : random.pick(kinds)
        var rest = Array(
            kinds.filter { $0 != start }.shuffled(using: &random).prefix(random.pick([1, 2, 2, 3, 3, 4, 7]))
        )
        // A step that comes again.
        if random.chance(30) { rest[random.pick(Array(rest.indices))] = random.pick([start, rest[0]]) }
        return Oracle.FunnelQuery(
            span: span(),
            now: stream.now,
            steps: random.chance(25) ? ["inbound_link", "authentication", "conversion"] : [start] + rest,
            grouping: random.pick(Oracle.Grouping.allCases),
            window: random.pick([.days(7), .days(7), .days(1), .days(90), .seconds(1), .seconds(60)]),
            limit: limit(),
            isMatured: random.chance(30)
        )
    }

    /// With every option of a funnel, in every combination.
    mutating func variedFunnel() -> Oracle.FunnelQuery {
        var query = funnel()
        if random.chance(60) {
            let alternatives = [
                "inbound_link", "authentication", "conversion:buy", "link_click", "install", "feed_post", "touch",
            ]
            for step in query.steps.indices where random.chance(50) {
                let more = alternatives.shuffled(using: &random).prefix(random.pick([1, 1, 2]))
                    .filter { !Oracle.alternatives(of: query.steps[step]).contains($0) }
                query.steps[step] = ([query.steps[step]] + more).joined(separator: "|")
            }
        }
        if random.chance(40) {
            for step in query.steps.indices where random.chance(50) {
                let alternatives = Oracle.alternatives(of: query.steps[step])
                let conditioned = alternatives.map { random.chance(60) ? $0 + bracketed(of: $0) : $0 }
                query.steps[step] = conditioned.joined(separator: "|")
            }
        }
        if random.chance(30), query.steps.count < 8 {
            query.steps.insert(random.pick(query.steps), at: random.pick(Array(query.steps.indices)))
        }
        let second = random.pick(Oracle.Grouping.allCases)
        if query.grouping != .ungrouped, second != query.grouping, random.chance(60) {
            query.secondGrouping = second
        }
        query.order = random.pick([.sequential, .strict, .any])
        if query.order != .any, random.chance(50) {
            for step in 1..<query.steps.count where random.chance(50) {
                let limit: Duration = random.pick([
                    .seconds(1), .seconds(60), .seconds(3600), .days(1), .days(7), .days(8),
                ])
                query.stepWindows[step] = min(limit, query.window)
            }
        }
        if random.chance(50) {
            let needed = (query.order == .any ? query.steps[...] : query.steps[1..<query.steps.count - 1])
                .flatMap(Oracle.alternatives)
            query.exclusions = [
                "inbound_link", "authentication", "conversion", "touch", "link_click", "install", "feed_post",
                "conversion:level", "conversion:subscribe",
            ].filter { !needed.contains($0) }.shuffled(using: &random).prefix(random.pick([1, 1, 2])).map { $0 }
            if !query.exclusions.isEmpty, random.chance(30) {
                query.exclusions[0] += bracketed(of: query.exclusions[0])
                query.exclusions.removeAll(where: needed.contains)
            }
        }
        return query
    }

    /// Conditions on events of a step, in brackets.
    private mutating func bracketed(of kind: String) -> String {
        let keys = Oracle.Grouping.allCases.filter {
            $0 != .ungrouped && $0.period == nil && $0.isPossible(for: kind)
        }
        var chosenConditions = conditions(keys)
        // Conditions that nothing meets are refused.
        if chosenConditions.count == 2, chosenConditions[0].key == chosenConditions[1].key,
            chosenConditions.allSatisfy({ !$0.isExclusion }),
            Set(chosenConditions[0].values).isDisjoint(with: chosenConditions[1].values)
        {
            chosenConditions.removeLast()
        }
        let text = chosenConditions.map { "[\($0.text)]" }.joined()
        let outcomes: [String] =
            switch kind {
            case "authentication": LoginOutcome.allCases.map(\.rawValue)
            case "feed_post": PostOutcome.allCases.map(\.rawValue)
            case _ where kind.hasPrefix("conversion"): ["paid", "free", "refunded", "(none)"]
            default: []
            }
        guard !outcomes.isEmpty, random.chance(60) else { return text }
        let chosen = outcomes.shuffled(using: &random).prefix(random.pick([1, 1, 2])).joined(separator: ",")
        return "[outcome\(random.chance(30) ? "!=" : "=")\(chosen)]" + (random.chance(30) ? text : "")
    }

    /// What people did, or did not.
    mutating func deeds() -> [Oracle.Deed] {
        let kinds = [
            "touch", "inbound_link", "link_click", "install", "authentication", "conversion", "conversion:buy",
            "feed_post", "app_open",
        ]
        return (0..<random.pick([1, 1, 2])).map { _ in
            var steps = kinds.shuffled(using: &random).prefix(random.pick([1, 1, 2])).map { $0 }
            for position in steps.indices where random.chance(30) { steps[position] += bracketed(of: steps[position]) }
            return Oracle.Deed(
                step: steps.joined(separator: "|"),
                count: random.pick([1, 1, 1, 2, 3]),
                days: random.pickOrNone([1, 7, 30, 3_650], percent: 40),
                isExclusion: random.chance(40)
            )
        }
    }

    mutating func funnelTable() -> Oracle.FunnelTable {
        random.pick([.steps, .steps, .besidePrevious, .times])
    }

    mutating func compare() -> Oracle.CompareQuery {
        var other = Oracle.CompareQuery(a: "", b: [], grouping: .ref, funnel: funnel())
        other.metric = random.pick(["funnel", "funnel", "taps_per_post", "posts_per_person", "login_failure"])
        if let start = other.start {
            other.grouping = random.pick(Oracle.Grouping.keys.filter { $0.isPossible(for: start) })
            let known = values(of: other.grouping)
            let names = (known.contains("(none)") ? known : known + ["(none)"]).shuffled(using: &random)
            (other.a, other.b) = (names[0], Array(names.dropFirst().prefix(random.pick([1, 1, 2, 4]))))
            return other
        }
        let grouping = random.chance(60) ? random.pick([.channel, .ref]) : random.pick(Oracle.Grouping.keys)
        let known = values(of: grouping)
        let names = (known.contains("(none)") ? known : known + ["(none)"]).shuffled(using: &random)
        let funnel = random.chance(50) ? funnel() : variedFunnel()
        let others = Array(names.dropFirst().prefix(random.pick([1, 1, 2, 4])))
        return Oracle.CompareQuery(a: names[0], b: others, grouping: grouping, funnel: funnel)
    }

    mutating func viral() -> Oracle.ViralQuery {
        Oracle.ViralQuery(
            span: span(),
            lookback: lookback(),
            keys: Array(Oracle.PostKey.allCases.shuffled(using: &random).prefix(random.pick([0, 1, 1, 2]))),
            within: random.pickOrNone([.days(7), .days(1), .seconds(60), .days(90)], percent: 50),
            conditions: random.chance(50) ? postConditions() : [],
            limit: optionalLimit()
        )
    }

    /// On keys of posts of any outcome.
    mutating func conditionsOfPosts() -> [Oracle.PostCondition] { postConditions([.ref, .platform, .composer]) }

    mutating func generations() -> Oracle.GenerationsQuery {
        Oracle.GenerationsQuery(
            span: span(),
            depth: random.pick([10, 1, 2]),
            grouping: random.pick([.ungrouped, .ungrouped, .ref, .channel, .doubt] + Oracle.Grouping.ofTouches),
            limit: limit(),
            lookback: lookback(),
            below: random.pickOrNone(["user-1", "user-2", "device-1", "unheard-of"], percent: 25)
        )
    }

    private mutating func postConditions(_ keys: [Oracle.PostKey] = Oracle.PostKey.allCases) -> [Oracle.PostCondition] {
        (0..<random.pick([1, 1, 2])).map { _ in
            let key = random.pick(keys)
            let all =
                switch key {
                case .ref: values(of: .ref)
                case .platform: values(of: .platform)
                case .composer: Composer.allCases.map(\.rawValue) + ["(none)"]
                case .poster: ["user-1", "user-2", "device-1", "click-1", "unheard-of", "(none)"]
                }
            let values = all.shuffled(using: &random).prefix(random.pick([1, 1, 2]))
            return Oracle.PostCondition(key: key, values: Array(values), isExclusion: random.chance(35))
        }
    }

    mutating func period() -> Oracle.PeriodLength? {
        random.pickOrNone(Oracle.PeriodLength.allCases, percent: 60)
    }

    /// In some of these zones, days of the stream have 23 or 25 hours.
    mutating func zone() -> String {
        random.pick([
            "UTC", "UTC", "Europe/Berlin", "America/New_York", "America/Havana", "Asia/Kathmandu",
            "Australia/Lord_Howe",
            "Pacific/Kiritimati",
        ])
    }

    mutating func channels() -> Oracle.ChannelsQuery {
        Oracle.ChannelsQuery(span: span(), goal: goal(), lookback: lookback(), period: period())
    }

    mutating func eachPost() -> Oracle.EachPostQuery {
        Oracle.EachPostQuery(
            span: span(),
            goal: goal(),
            lookback: lookback(),
            sort: order(Oracle.eachPostSorts),
            limit: random.pick([50, 1, 2]),
            conditions: random.chance(50) ? conditionsOfPosts() : []
        )
    }

    /// One of the columns, in its usual order or in the opposite one.
    private mutating func order(_ columns: [String]) -> String {
        random.pick(columns) + (random.chance(30) ? ":reverse" : "")
    }

    mutating func refs() -> Oracle.RefsQuery {
        Oracle.RefsQuery(
            span: span(),
            goal: goal(),
            lookback: lookback(),
            period: period(),
            limit: optionalLimit()
        )
    }

    mutating func attribution() -> Oracle.AttributionQuery {
        Oracle.AttributionQuery(
            span: span(),
            credited: random.pick(Oracle.Credited.allCases),
            goal: goal(),
            models: random.chance(50) ? Oracle.Model.allCases : [random.pick(Oracle.Model.allCases)],
            grouping: random.pick(Oracle.Grouping.keys),
            limit: limit(),
            lookback: lookback()
        )
    }

    /// How many groups are shown.
    private mutating func limit() -> Int { random.pick([50, 50, 10_000, 1, 2]) }

    /// The same for a report that shows all of them if it is not told.
    mutating func optionalLimit() -> Int? { random.pickOrNone([1, 2, 10_000], percent: 60) }

    /// - Parameter key: one that the breakdown must have. Without it, it has none of single posts.
    mutating func breakdown(with key: Oracle.BreakdownKey? = nil) -> Oracle.BreakdownQuery {
        let others = Oracle.BreakdownKey.allCases.filter { $0 != .post && $0 != key }.shuffled(using: &random)
        let chosen = ([key].compactMap { $0 } + others).prefix(random.pick([1, 1, 2]))
        let keys = chosen.shuffled(using: &random)
        var query = Oracle.BreakdownQuery(
            span: span(),
            goal: goal(),
            lookback: lookback(),
            keys: keys,
            limit: random.pick([50, 10_000, 1, 2, 3]),
            percent: random.pickOrNone([1, 30, 50, 100], percent: 25),
            least: random.pick([0, 0, 0, 1, 2]),
            tellsRates: random.chance(50),
            tellsTouchValue: random.chance(30)
        )
        let days = keys.contains { $0 == .hour || $0 == .weekday } ? ["days"] : []
        query.sort = order(query.figures + days + keys.map(\.rawValue))
        return query
    }

    /// One or two conditions, often on refs, which touches have several of.
    ///
    /// - Parameter keys: the keys that the report takes.
    mutating func conditions(_ keys: [Oracle.Grouping] = Oracle.Grouping.keys) -> [Oracle.Condition] {
        (0..<random.pick([1, 1, 2])).map { _ in
            let key = random.chance(30) && keys.contains(.ref) ? .ref : random.pick(keys)
            let values = values(of: key).shuffled(using: &random).prefix(random.pick([1, 1, 2]))
            return Oracle.Condition(key: key, values: Array(values), isExclusion: random.chance(35))
        }
    }

    private func values(of key: Oracle.Grouping) -> [String] {
        switch key {
        case .channel: Channel.allCases.map(\.rawValue)
        case .platform: Platform.allCases.map(\.rawValue) + ["(none)"]
        case .appVersion: ["1.0", "2.0", "unheard-of", "(none)"]
        case .country: ["DE", "US", "FR", "(none)"]
        case .language: ["de", "en-US", "(none)"]
        case .sentBy: ["server", "app"]
        case .authenticated, .deferred, .paid, .injected: ["true", "false"]
        case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
        case .refFrom: Oracle.Grouping.refOrigins + ["(none)"]
        case .ref: ["gift", "boast", "Zeta", "ask-friends", "unheard-of", "(none)"]
        case .refererApp: ["Facebook", "Messenger", "unheard-of", "(none)"]
        case .targetURL:
            ["https://example.com/a", "https://example.com/*", "https://example.com/c*", "https://e", "(none)"]
        case .page: ["example.com/a", "example.com/*", "example.com/c", "a", "unheard-of", "(none)"]
        case .link: RandomStream.shortLinks + ["(none)"]
        case .placement: ["top", "side", "\"total\"", "unheard-of", "(none)"]
        case .plan: ["pro", "free", "3", "true", "(others)", "(none)"]
        case .tier: ["gold", "7", "(none)"]
        case .joinedBy: ["link", "click", "(none)"]
        case .doubt: ["self", "device", "speed", "burst", "(none)"]
        case .ungrouped, .day, .week, .month: []
        }
    }

    mutating func retention() -> Oracle.RetentionQuery {
        Oracle.RetentionQuery(
            span: span(),
            period: random.pick(Oracle.Period.allCases),
            periods: random.pick([[1], [1, 2, 3], Array(1...8), [2], [1, 7]]),
            pooledAt: random.chance(30) ? stream.now : nil,
            grouping: random.pick(Oracle.Grouping.ofTouches),
            limit: limit(),
            cohort: random.pick([
                "touch", "touch", "install", "authentication", "conversion", "conversion:buy", "touch_in_range",
            ]),
            returns: random.pick(["any", "any", "touch", "conversion", "conversion:level"]),
            rule: random.pick(["on", "on", "within", "after"]),
            lookback: lookback()
        )
    }

    mutating func activity() -> Oracle.ActivityQuery {
        Oracle.ActivityQuery(
            span: span(),
            period: random.pick(Oracle.PeriodLength.allCases),
            grouping: random.pick([.ungrouped] + Oracle.Grouping.keys),
            limit: limit(),
            takesFirst: random.chance(30)
        )
    }

    mutating func overlap(ofPair: Bool) -> Oracle.OverlapQuery {
        var query = Oracle.OverlapQuery(
            span: span(),
            grouping: random.pick(Oracle.Grouping.keys),
            limit: random.pick([2, 3, 100]),
            goal: goal()
        )
        if ofPair {
            let values = Array(Set(values(of: query.grouping))).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let a = random.pick(values)
            query.pair = (a, random.pick(values.filter { !$0.utf8.elementsEqual(a.utf8) }))
        }
        return query
    }

    /// Mostly of the later half of the stream, so that the preceding range has events, too.
    mutating func changes() -> Oracle.ChangesQuery {
        var span = span()
        if random.chance(80) {
            let half = (stream.to.microseconds - stream.from.microseconds) / 2
            span = Oracle.Span(from: stream.from.advanced(by: .microseconds(half)), to: stream.to)
        }
        return Oracle.ChangesQuery(
            span: span,
            metric: random.pick(Oracle.ChangesQuery.metrics),
            keys: Array(Oracle.Grouping.keys.shuffled(using: &random).prefix(random.pick([1, 1, 2]))),
            limit: random.pick([50, 10_000, 1, 2]),
            goal: goal(),
            lookback: lookback()
        )
    }

    mutating func paths() -> Oracle.PathsQuery {
        Oracle.PathsQuery(
            span: span(),
            goal: goal(),
            lookback: lookback(),
            limit: random.pickOrNone([1, 2, 10], percent: 50)
        )
    }
}
