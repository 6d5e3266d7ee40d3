import Events
import InboundLinks
import Time

/// docs/reports.md, *generations*.
extension Oracle {
    struct GenerationsQuery {
        var span: Span
        var depth = 10
        var grouping: Grouping = .ungrouped
        /// How many groups are shown, if there may be any number.
        var limit = 50
        var lookback: Duration = .days(7)
        /// The id of somebody: only whom they brought, directly or not, is counted.
        var below: String?
    }

    /// `generation, [group], people, posters, posts, invited, invited_per_person, installs_per_post, median_days,
    /// value, value_per_person, doubtful`
    ///
    /// Chosen: the median is in whole microseconds, half of one rounded up, before it is told in days.
    func generations(_ query: GenerationsQuery) -> [[String]] {
        let tree = Invitations(ofAll, query.lookback, from: query.below.map { Name($0) })
        let counted = Set(facts.compactMap(\.person))
        // "`doubt` is that of the person's own install", everything else of the install that the chain begins with.
        let (onDoubts, onRoots) = (conditions.filter { $0.key == .doubt }, conditions.filter { $0.key != .doubt })
        let roots = ofAll.filtered(by: onRoots)
        let cohort = RetentionQuery(
            span: query.span,
            grouping: query.grouping,
            cohort: "install",
            lookback: query.lookback
        )
        /// Somebody who never installed has none of the properties.
        func isKept(_ root: Person) -> Bool {
            tree.installs[root].map { roots.isKept($0, cohort) } ?? onRoots.allSatisfy { $0.keeps(.none) }
        }
        let people = tree.installs.keys.filter {
            counted.contains($0) && query.span.contains(tree.time(of: $0)) && isKept(tree.root(of: $0))
                && (query.below == nil || tree.generation(of: $0) > 0 && tree.isBeginning(tree.root(of: $0)))
        }.filter { person in onDoubts.allSatisfy { $0.keeps(tree.doubt(about: person)) } }
        guard query.grouping != .ungrouped else { return rows(of: people, tree, query) }
        func groups(of person: Person) -> [Name] {
            if query.grouping == .doubt { return [tree.doubt(about: person)] }
            return tree.installs[tree.root(of: person)].map { roots.groups(ofCohort: $0, cohort) } ?? [.none]
        }
        var sizes: [[Name]: Int] = [:]
        for person in people {
            for group in groups(of: person) where group != .direct { sizes[[group], default: 0] += 1 }
        }
        let shown = Set(Self.largest(sizes, by: [query.grouping], query.limit).map { $0[0] })
        var parts: [Name: [Person]] = [.total: people]
        for person in people {
            let names = Set(groups(of: person).map { shown.contains($0) || $0 == .direct ? $0 : .others })
            for name in names { parts[name, default: []].append(person) }
        }
        var names = Self.ordered(
            Set(parts.keys).subtracting([.direct, .others, .total]),
            by: query.grouping
        ) { Fraction(parts[$0]?.count ?? 0) }
        if parts[.others] != nil { names.append(.others) }
        if query.grouping.isOfTouches { names.append(.direct) }
        return (names + [.total]).flatMap { name in
            rows(of: parts[name] ?? [], tree, query).map { [$0[0], name.text] + $0[1...] }
        }
    }

    private func rows(of people: [Person], _ tree: Invitations, _ query: GenerationsQuery) -> [[String]] {
        let counted = Set(facts.compactMap(\.person))
        func row(_ name: String, _ own: [Person]) -> [String] {
            let posts = facts.filter { fact in
                fact.feedPost?.outcome == .posted && query.span.contains(fact.time)
                    && fact.person.map(own.contains) ?? false
            }
            /// Whom somebody invited.
            func invited(by person: Person) -> [Person] {
                tree.installs.keys.filter {
                    counted.contains($0) && query.span.contains(tree.time(of: $0)) && tree.inviter(of: $0) == person
                }
            }
            let waits = own.compactMap { person in
                invited(by: person).map { tree.time(of: $0).microseconds }.min()
                    .map { max(0, $0 - tree.time(of: person).microseconds) }
            }
            let invited = own.reduce(0) { $0 + invited(by: $1).count }
            let value = Fraction.sum(
                facts.filter { $0.person.map(own.contains) ?? false && query.span.contains($0.time) }
                    .map { self.value(of: $0) }
            )
            return [
                name, String(own.count), String(Set(posts.compactMap(\.person)).count), String(posts.count),
                String(invited), Cell.rate(invited, of: own.count), Cell.rate(invited, of: posts.count),
                Self.medianDays(waits), Cell.amount(value), Cell.rate(value, of: Fraction(own.count)),
                String(own.count { !tree.doubts(about: $0).isEmpty }),
            ]
        }
        let generations = Dictionary(grouping: people) { tree.generation(of: $0) }
        let deepest = generations.keys.max() ?? -1
        let rest = people.filter { tree.generation(of: $0) > query.depth }
        // "This person is of generation 0 then, and of no row."
        return ((query.below == nil ? 0 : 1)...max(1, min(deepest, query.depth))).filter { $0 <= deepest }
            .map { row(String($0), generations[$0] ?? []) }
            + (rest.isEmpty ? [] : [row("(others)", rest)]) + [row("total", people)]
    }

    private static func medianDays(_ microseconds: [Int64]) -> String {
        let sorted = microseconds.sorted()
        guard !sorted.isEmpty else { return Cell.undefined }
        let sum = Int128(sorted[sorted.count / 2]) + Int128(sorted[(sorted.count - 1) / 2])
        return Cell.amount(Fraction((sum + 1) / 2, 86_400 * 1_000_000))
    }
}

extension Oracle {
    /// Who invited whom, by following each chain from person to person.
    struct Invitations {
        private let oracle: Oracle
        /// Nobody invited people with this id.
        private let beginning: Name?
        /// The first install of each person.
        let installs: [Person: Fact]
        /// "The touch that gets the install's credit."
        private let credited: [Person: Fact]
        /// "The person who posted what the credit of the install goes to", in a circle, too.
        private let posters: [Person: Person]
        /// All installs, counted or not.
        private let allInstalls: [Fact]

        init(_ oracle: Oracle, _ lookback: Duration, from beginning: Name? = nil) {
            self.oracle = oracle
            self.beginning = beginning
            var installs: [Person: Fact] = [:]
            let counted = oracle.facts.filter(\.isCountedInstall)
            for fact in counted.sorted(by: { ($0.time, $0.eventID) < ($1.time, $1.eventID) }) {
                if let person = fact.person, installs[person] == nil { installs[person] = fact }
            }
            self.installs = installs
            credited = installs.compactMapValues { oracle.touches(before: $0, lookback: lookback).last }
            posters = credited.compactMapValues { $0.touch?.post.flatMap { oracle.people.person(of: $0) } }
            allInstalls = oracle.facts.filter { if case .install = $0.kind { true } else { false } }
        }

        func time(of person: Person) -> Timestamp { installs[person]?.time ?? Timestamp(microseconds: .max) }

        /// From a person up to the first one, who is none of a circle, or the one of it who installed first.
        private func chain(of person: Person) -> [Person] {
            var chain = [person]
            while let last = chain.last, !isBeginning(last), let next = posters[last] {
                guard let entry = chain.firstIndex(of: next) else {
                    chain.append(next)
                    continue
                }
                // "Of two at one instant, the one who came from the post with the smaller id."
                let first = chain[entry...].min { one, other in
                    let times = (time(of: one), time(of: other))
                    if times.0 != times.1 { return times.0 < times.1 }
                    let posts = [one, other].compactMap { credited[$0]?.touch?.post?.id }
                    return posts[0] < posts[1]
                }
                return Array(chain[...(chain.firstIndex { $0 == first } ?? entry)])
            }
            return chain
        }

        func isBeginning(_ person: Person) -> Bool { person.name == beginning }

        func generation(of person: Person) -> Int { chain(of: person).count - 1 }

        func root(of person: Person) -> Person { chain(of: person).last ?? person }

        func inviter(of person: Person) -> Person? { chain(of: person).dropFirst().first }

        /// "An install with several reasons is in the row of the first of them, in the order above."
        func doubt(about person: Person) -> Name {
            let doubts = doubts(about: person)
            return ["self", "device", "speed", "burst"].first(where: doubts.contains).map { Name($0) } ?? .none
        }

        /// docs/reports.md, *Doubtful installs*.
        func doubts(about person: Person) -> Set<String> {
            guard let install = installs[person] else { return [] }
            var doubts: Set<String> = []
            func devices(of person: Person) -> Set<Name> {
                Set(allInstalls.filter { $0.person == person }.compactMap { oracle.installDevices[$0.eventID] })
            }
            let poster = posters[person]
            if let poster, poster == person || !devices(of: poster).isDisjoint(with: devices(of: person)) {
                doubts.insert("self")
            }
            let hasOthers = allInstalls.contains { other in
                guard let device = oracle.installDevices[install.eventID] else { return false }
                return other.person != person && oracle.installDevices[other.eventID] == device
                    && install.time.advanced(by: .days(-90)) <= other.time && other.time < install.time
            }
            if hasOthers { doubts.insert("device") }
            if let tap = credited[person], let touch = tap.touch, touch.isClick || touch.isDeferred,
                !tap.hasInferredTime, install.time < tap.time.advanced(by: .seconds(10))
            {
                doubts.insert("speed")
            }
            let times = installs.keys.filter { poster != nil && posters[$0] == poster }.map { time(of: $0) }
            let isInBurst = times.contains { start in
                let end = start.advanced(by: .seconds(3_600))
                return start <= install.time && install.time <= end
                    && times.count { start <= $0 && $0 <= end } > 20
            }
            if isInBurst { doubts.insert("burst") }
            return doubts
        }
    }
}
