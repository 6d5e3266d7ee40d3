import Events
import InboundLinks
import Time
import Timelines

/// Keeps of each person who installed or posted what the tree of invitations needs, and makes the tree at the end.
struct GenerationsFold: LimitedFold {
    /// Somebody who installed or posted: 16 bytes, because there may be millions.
    private struct Member {
        /// The time of the first install ever, in microseconds; `never` without one.
        var install = Self.never
        /// The post that the install is credited to.
        var post = Code.none
        /// What the chains that begin with this person are grouped by: for the refs of a touch the code of their list,
        /// else the number of the group.
        var group = Self.nothing

        static let never = Int64.max
        /// The property is missing.
        static let nothing = Int32.min
        /// The install has no touch.
        static let direct = Int32.min + 1
        /// Conditions leave out who is in these chains.
        static let leftOut = Int32.min + 2
    }

    private struct Post {
        var event: EventID
        var member: Int32
        /// Whether it was posted, in the range.
        var counts: Bool
    }

    /// What conversions in the range of somebody who installed in it were worth.
    private struct Worth {
        var member: Int32
        var currency: Code
        /// In millionths.
        var value: Int128
        var conversions: Int64
    }

    private let report: GenerationsReport
    private let run: ReportRun
    private let range: ReportRange
    private let dictionary: TimelineDictionary
    private let finder: GroupFinder
    private let ofInstall: EventMatcher?
    private let ofTouch: EventMatcher?
    /// By raw values of reasons, whether conditions keep people whose install is doubtful for these; nil if none is.
    private let keepsDoubt: [Bool]?
    private let currency: Code
    private var members: [Member] = []
    /// By member, whether the person counts. All others only link those who do.
    private var areCounted: [Bool] = []
    private var posts: [Post] = []
    private var fast: [Int32] = []
    private var shared: [DoubtfulInstalls.OnSharedDevice] = []
    /// In the order of members.
    private var worths: [Worth] = []

    init(_ report: GenerationsReport, _ run: ReportRun) {
        self.report = report
        self.run = run
        range = run.range
        dictionary = run.dictionary
        ofInstall = report.filter.only { $0.isOfCohort }.makeMatcher(run.dictionary)
        ofTouch = report.filter.only { !$0.isOfCohort && !$0.isOfInvitations }.makeMatcher(run.dictionary)
        let onDoubt = report.filter.only(\.isOfInvitations).conditions
        keepsDoubt =
            onDoubt.isEmpty
            ? nil
            : DoubtfulInstalls.Reasons.allSets.map { reasons in
                onDoubt.allSatisfy { $0.isMet(by: reasons.names.first ?? ReportNames.none) }
            }
        finder = GroupFinder(report.grouping, matching: ofTouch, run)
        currency = run.dictionary.code(of: run.currency, as: .currency)
    }

    mutating func add(_ person: borrowing PersonTimeline) { add(person, counting: .own) }

    mutating func add(_ person: borrowing PersonTimeline, counting ranges: CountedRanges) {
        guard person.isPerson else { return }
        let isCounted = ranges.contains(.own)
        let number = Int32(truncatingIfNeeded: members.count)
        var member = Member()
        var hasPosted = false
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let event = person.events[position]
            var counts = false
            if case .posted? = event.outcome { counts = isCounted && range.contains(event.occurredAt) }
            posts.append(Post(event: event.id, member: number, counts: counts))
            hasPosted = true
        }
        guard let first = person.countedInstalls.first else {
            if !hasPosted { return }
            member.group = keepsNothing ? Member.nothing : Member.leftOut
            areCounted.append(isCounted)
            return members.append(member)
        }
        let time = person.events[first].occurredAt
        let install = CreditedEvent(position: first, time: time, isInstall: true, value: 0)
        let touch = person.lastTouch(before: install, within: report.lookback.microseconds)
        member.install = time.microseconds
        if let touch {
            member.post = person.events[touch.event].storyPost
            if DoubtfulInstalls.isFast(touch, installedAt: time) { fast.append(number) }
        }
        member.group = group(of: person.events[first], touch.map { (person.events[$0.event], $0.time) })
        members.append(member)
        areCounted.append(isCounted)
        addShared(of: person, number, first)
        if isCounted, range.contains(time) { addWorth(of: person, number) }
    }

    private mutating func addShared(of person: borrowing PersonTimeline, _ number: Int32, _ first: Int) {
        for position in person.events.indices {
            guard case .install = person.events[position].type,
                let device = dictionary.sharedDevices.device(ofInstall: person.events[position].id)
            else { continue }
            let time = person.events[position].occurredAt.microseconds
            shared.append(.init(time: time, device: device, person: number, isFirst: position == first))
        }
    }

    private mutating func addWorth(of person: borrowing PersonTimeline, _ number: Int32) {
        let start = worths.count
        for position in person.events.indices {
            guard case .conversion = person.events[position].type else { continue }
            let event = person.events[position]
            guard event.value != 0, range.contains(event.occurredAt) else { continue }
            let known = worths[start...].firstIndex { $0.currency == event.currency }
            if known == nil {
                worths.append(Worth(member: number, currency: event.currency, value: 0, conversions: 0))
            }
            worths[known ?? worths.count - 1].value += Int128(event.value)
            worths[known ?? worths.count - 1].conversions += 1
        }
    }

    /// Whether conditions keep what has none of the properties.
    private var keepsNothing: Bool { (ofInstall?.keepsNothing ?? true) && (ofTouch?.keepsNothing ?? true) }

    /// What chains that begin with an install are grouped by, as `retention` groups people by their install.
    private func group(of install: TimelineEvent, _ touch: (event: TimelineEvent, time: Timestamp)?) -> Int32 {
        if let ofInstall, !ofInstall.keeps(install) { return Member.leftOut }
        if let ofTouch {
            guard let touch, ofTouch.keeps(touch.event) else { return Member.leftOut }
        }
        guard report.grouping != .none, !report.grouping.isOfInvitations else { return Member.nothing }
        let grouped = report.grouping.isOfCohort ? (install, install.occurredAt) : touch
        guard let grouped else { return Member.direct }
        if case .refs = report.grouping.source {
            return grouped.0.refs.isNone ? Member.nothing : grouped.0.refs.rawValue
        }
        var group = Member.nothing
        finder.forEachKey(of: grouped.0, at: grouped.1) { key in
            if let number = key.number { group = Int32(truncatingIfNeeded: number) }
        }
        return group
    }

    /// Calls `body` with each group of the chains that begin with a member.
    private func forEachGroup(of root: Member, _ body: (GroupKey) -> Void) {
        guard root.group != Member.nothing, case .refs = report.grouping.source else {
            return body(GroupKey(number: root.group == Member.nothing ? nil : Int(root.group)))
        }
        for ref in dictionary.refs(of: Code(rawValue: root.group)) where ofTouch?.keeps(ref: ref) ?? true {
            body(GroupKey(code: ref))
        }
    }

    var size: Int {
        // Some of what the tree takes at the end, too.
        members.heldSize + members.count * 9 + posts.heldSize + fast.heldSize + shared.heldSize + worths.heldSize
    }

    mutating func merge(_ other: GenerationsFold) {
        let offset = Int32(truncatingIfNeeded: members.count)
        members.reserveCapacity(members.count + other.members.count)
        members += other.members
        areCounted += other.areCounted
        posts.reserveCapacity(posts.count + other.posts.count)
        for post in other.posts {
            posts.append(Post(event: post.event, member: post.member + offset, counts: post.counts))
        }
        fast += other.fast.map { $0 + offset }
        for install in other.shared {
            var install = install
            install.person += offset
            shared.append(install)
        }
        for worth in other.worths {
            var worth = worth
            worth.member += offset
            worths.append(worth)
        }
    }

    /// By member: who posted what their install is credited to; −1 if nobody is known.
    ///
    /// - Parameter posts: ordered by event.
    private func inviters(_ posts: [Post]) -> [Int32] {
        members.map { member in
            guard !member.post.isNone else { return -1 }
            let event = dictionary.storyPosts.event(of: member.post)
            let position = posts.firstPosition { $0.event >= event }
            return position < posts.count && posts[position].event == event ? posts[position].member : -1
        }
    }

    private func tree(_ inviters: [Int32]) -> InvitationTree {
        InvitationTree(inviters: inviters) { one, other in
            let (first, second) = (members[one], members[other])
            if first.install != second.install { return first.install < second.install }
            let posts = dictionary.storyPosts
            return posts.event(of: first.post) < posts.event(of: second.post)
        }
    }

    /// - Parameter doubts: wanted only if there are conditions on them.
    private func counts(_ member: Int, _ tree: InvitationTree, _ doubts: DoubtfulInstalls?) -> Bool {
        guard areCounted[member], range.contains(Timestamp(microseconds: members[member].install)),
            members[Int(tree.roots[member])].group != Member.leftOut
        else { return false }
        guard let keepsDoubt, let doubts else { return true }
        return keepsDoubt[Int(doubts.reasons[member].rawValue)]
    }

    private func doubts(_ inviters: [Int32]) -> DoubtfulInstalls {
        DoubtfulInstalls(inviters: inviters, fast: fast, shared: shared) { members[$0].install }
    }

    /// Those of the people whom the rows count.
    var otherCurrencies: [OtherCurrencies] {
        var others = OtherCurrencies(run)
        guard worths.contains(where: { $0.currency != currency }) else { return [others] }
        let inviters = report.filter.isEmpty ? [] : inviters(posts.sorted { $0.event < $1.event })
        let tree = report.filter.isEmpty ? nil : tree(inviters)
        let doubts = keepsDoubt == nil ? nil : doubts(inviters)
        for worth in worths where worth.currency != currency {
            if let tree, !counts(Int(worth.member), tree, doubts) { continue }
            others.add(worth.value, of: worth.currency, conversions: worth.conversions)
        }
        return [others]
    }

    consuming func finish(beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        // In place: there may be many.
        posts.sort { $0.event < $1.event }
        return try rows(beside: other)
    }

    /// Needs `posts` in the order of events.
    private func rows(beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let inviters = inviters(posts)
        let doubts = doubts(inviters)
        let tree = tree(inviters)
        let deeds = Deeds(of: self, tree)
        let deepest = members.indices.reduce(0) { counts($1, tree, doubts) ? max($0, Int(tree.generations[$1])) : $0 }
        let depth = min(report.depth, deepest)
        var (total, direct) = (GenerationCounts(depth: depth), GenerationCounts(depth: depth))
        var groups = LimitedGroups(
            total,
            size: total.rows.count * MemoryLayout<GenerationCounts.Row>.stride,
            countsLimit: LimitedGroups<GenerationCounts>.defaultCountsLimit,
            showsAll: !finder.isOpen,
            run.file
        )
        for key in finder.fixedKeys { groups.position(of: key) }
        var worths = worths[...]
        for member in members.indices where counts(member, tree, doubts) {
            var share = GenerationCounts.Share(row: min(Int(tree.generations[member]), depth + 1))
            share.posts = deeds.posts[member]
            share.invited = deeds.invited[member]
            if share.invited > 0 { share.wait = max(0, deeds.firstInvited[member] - members[member].install) }
            share.isDoubtful = !doubts.reasons[member].isEmpty
            worths = worths.drop { $0.member < member }
            while let worth = worths.first, worth.member == member {
                if worth.currency == currency { share.value += worth.value }
                worths.removeFirst()
            }
            total.add(share)
            guard report.grouping != .none else { continue }
            let root = members[Int(tree.roots[member])]
            if report.grouping.isOfInvitations {
                groups.update(GroupKey(number: doubts.reasons[member].first), from: share) { _ in }
            } else if root.group == Member.direct {
                direct.add(share)
                continue
            } else {
                forEachGroup(of: root) { key in groups.update(key, from: share) { _ in } }
            }
            groups.endPerson()
        }
        return try rows(total, direct, groups, beside: other)
    }

    /// What members did in the range.
    private struct Deeds {
        var posts: [UInt32]
        var invited: [UInt32]
        /// When the first of those installed.
        var firstInvited: [Int64]

        init(of fold: GenerationsFold, _ tree: InvitationTree) {
            posts = Array(repeating: 0, count: fold.members.count)
            invited = posts
            firstInvited = Array(repeating: .max, count: fold.members.count)
            for post in fold.posts where post.counts { posts[Int(post.member)] += 1 }
            for (number, inviter) in tree.inviters.enumerated() where inviter >= 0 && fold.areCounted[number] {
                let member = fold.members[number]
                guard fold.range.contains(Timestamp(microseconds: member.install)) else { continue }
                invited[Int(inviter)] += 1
                firstInvited[Int(inviter)] = min(firstInvited[Int(inviter)], member.install)
            }
        }
    }

    private func rows(
        _ total: GenerationCounts,
        _ direct: GenerationCounts,
        _ groups: LimitedGroups<GenerationCounts>,
        beside other: [[ReportCell]]?
    ) throws -> [[ReportCell]] {
        guard report.grouping != .none else { return total.named.map { [.text($0.name)] + $0.row.cells } }
        let keys = groups.keys(beside: other?.lazy.map { $0[1] }, report.limit, finder)
        try run.size.check(rows: (keys.count + 3) * total.named.count)
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        var parts = finder.ordered(named.filter { fixed.contains($0.0) || $0.1.people > 0 }) { $0.people }
        if let others, others.people > 0 { parts.append((ReportNames.others, others)) }
        if !report.grouping.isOfCohort, !report.grouping.isOfInvitations { parts.append((ReportNames.direct, direct)) }
        parts.append((ReportNames.total, total))
        return parts.flatMap { part in
            part.counts.named.map { [.text($0.name), .text(part.name)] + $0.row.cells }
        }
    }
}
