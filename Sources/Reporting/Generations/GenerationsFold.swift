import Events
import InboundLinks
import Time
import Timelines

/// Keeps of each person who installed or posted what the tree of invitations needs, and makes the tree at the end.
struct GenerationsFold: LimitedFold {
    /// Somebody who installed: 24 bytes, because there may be millions.
    private struct Member {
        /// The time of the first install ever, in microseconds; `never` of a stranger.
        var install = Self.never
        /// The post that the install is credited to.
        var post = Code.none
        /// What the chains that begin with this person are grouped by: for the refs of a touch the code of their list,
        /// else the number of the group.
        var group = Self.nothing
        /// How many were posted in the range.
        var posts: UInt32 = 0
        /// Whether the person installed in the range and meets conditions. All others only link those who do.
        var isCounted = false

        static let never = Int64.max
        /// The property is missing.
        static let nothing = Int32.min
        /// The install has no touch.
        static let direct = Int32.min + 1
        /// Conditions leave out who is in these chains.
        static let leftOut = Int32.min + 2
    }

    /// What conversions in the range of somebody who installed in it were worth: one for each currency, and more if the
    /// sum is too large for one.
    private struct Worth {
        var member: Int32
        var currency: Code
        /// In millionths.
        var value: Int64
        var conversions: UInt32

        /// Returns false, and adds nothing, if the sum would be too large.
        mutating func add(_ value: Int64) -> Bool {
            let (sum, count) = (
                self.value.addingReportingOverflow(value), conversions.addingReportingOverflow(1)
            )
            guard !sum.overflow, !count.overflow else { return false }
            (self.value, conversions) = (sum.partialValue, count.partialValue)
            return true
        }
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
    /// Those of whom others may need to know, or of whom there is more to know than a group.
    private var members = PagedArray<Member>()
    /// How many people count of whom nothing but this is known: they came by themselves, invited nobody, and what their
    /// chain, which is they alone, is grouped by.
    private var alone: [Int32: Int] = [:]
    private var posters = Posters()
    private var fast = PagedArray<Int32>()
    private var shared = PagedArray<DoubtfulInstalls.OnSharedDevice>()
    /// In the order of members.
    private var worths = PagedArray<Worth>()

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
        guard let first = person.countedInstalls.first else {
            addPosts(of: person, by: posters.nextStranger)
            return
        }
        let number = Int32(truncatingIfNeeded: members.count)
        let known = factCount
        let time = person.events[first].occurredAt
        let install = CreditedEvent(position: first, time: time, isInstall: true, value: 0)
        let touch = person.lastTouch(before: install, within: report.lookback.microseconds)
        var member = Member(install: time.microseconds)
        member.isCounted = ranges.contains(.own) && range.contains(time)
        if let touch { member.post = person.events[touch.event].storyPost }
        member.posts = addPosts(of: person, by: number)
        addShared(of: person, number, first)
        if member.isCounted {
            if let touch, DoubtfulInstalls.isFast(touch, installedAt: time) { fast.append(number) }
            addWorth(of: person, number)
        }
        let isAlone = member.post.isNone && factCount == known
        guard member.isCounted || !isAlone else { return }
        member.group = group(of: person.events[first], touch.map { (person.events[$0.event], $0.time) })
        if isAlone { addAlone(member.group) } else { members.append(member) }
    }

    /// How many facts name the number of a member.
    private var factCount: Int { posters.count + fast.count + shared.count + worths.count }

    private mutating func addAlone(_ group: Int32) {
        guard group != Member.leftOut, report.below == nil, keepsDoubt?[0] ?? true else { return }
        alone[group, default: 0] += 1
    }

    /// Adds posts of any outcome: a touch may come from each.
    ///
    /// - Returns: how many were posted in the range.
    @discardableResult
    private mutating func addPosts(of person: borrowing PersonTimeline, by poster: Int32) -> UInt32 {
        var count: UInt32 = 0
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            posters.append(person.events[position].id, by: poster)
            guard case .posted? = person.events[position].outcome else { continue }
            if range.contains(person.events[position].occurredAt) { count += 1 }
        }
        return count
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
            let known = (start..<worths.count).last { worths[$0].currency == event.currency }
            if let known, worths[known].add(event.value) { continue }
            worths.append(Worth(member: number, currency: event.currency, value: event.value, conversions: 1))
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

    /// Calls `body` with each row for chains that are grouped so.
    private func forEachKey(of group: Int32, _ body: (GroupKey) -> Void) {
        guard group != Member.nothing, case .refs = report.grouping.source else {
            return body(GroupKey(number: group == Member.nothing ? nil : Int(group)))
        }
        for ref in dictionary.refs(of: Code(rawValue: group)) where ofTouch?.keeps(ref: ref) ?? true {
            body(GroupKey(code: ref))
        }
    }

    var size: Int {
        let facts = posters.heldSize + fast.heldSize + shared.heldSize + worths.heldSize
        let held = members.heldSize + alone.heldSize + facts
        // The limit adds a half for what is there twice while folds are merged. Afterwards nothing is, and the tree,
        // doubts and deeds take 25 bytes of each member, and of each stranger who invited one.
        let people = members.count + min(Int(posters.strangers), members.count)
        return max(held, (held + people * 25) * 2 / 3)
    }

    mutating func merge(_ other: GenerationsFold) {
        let offset = Int32(truncatingIfNeeded: members.count)
        members.append(contentsOf: other.members)
        alone.merge(other.alone, uniquingKeysWith: +)
        posters.merge(other.posters, offset: offset)
        for member in other.fast { fast.append(member + offset) }
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

    /// By member and stranger (``Posters/inviters(of:_:)``).
    private func inviters() -> [Int32] {
        posters.inviters(of: members.count) { member in
            let post = members[member].post
            return post.isNone ? nil : dictionary.storyPosts.event(of: post)
        }
    }

    /// Whoever has a number.
    private func member(_ number: Int32) -> Member {
        if number < members.count { return members[Int(number)] }
        return Member(group: keepsNothing ? Member.nothing : Member.leftOut)
    }

    /// Who invited whom, as far as rows count it.
    private struct Invitations {
        var tree: InvitationTree
        /// Nil if no condition and no row is about them.
        var doubts: DoubtfulInstalls?
        /// The people below whom all are counted; nil: all are. A user, a device and a click may have one id.
        var roots: Set<Int32>?
    }

    private func invitations(_ known: [Int32], withDoubts: Bool) -> Invitations {
        var inviters = known
        let doubts = withDoubts ? doubts(inviters) : nil
        let roots = report.below.map { id in
            Set(members.indices.filter { inviters[$0] >= 0 && isInvited($0, by: id) }.map { inviters[$0] })
        }
        for root in roots ?? [] { inviters[Int(root)] = -1 }
        return Invitations(tree: tree(inviters), doubts: doubts, roots: roots)
    }

    private func isInvited(_ member: Int, by id: String) -> Bool {
        guard !members[member].post.isNone, let detail = dictionary.storyPosts.detail(of: members[member].post),
            !detail.poster.isNone, let details = dictionary.storyPosts.details
        else { return false }
        // The first byte says whether it is a user, a device or a click.
        return details.posters.bytes(of: detail.poster).dropFirst().elementsEqual(id.utf8)
    }

    private func tree(_ inviters: [Int32]) -> InvitationTree {
        InvitationTree(inviters: inviters) { one, other in
            let (first, second) = (members[one], members[other])
            if first.install != second.install { return first.install < second.install }
            let posts = dictionary.storyPosts
            return posts.event(of: first.post) < posts.event(of: second.post)
        }
    }

    private func counts(_ member: Int, _ invitations: Invitations) -> Bool {
        guard members[member].isCounted else { return false }
        let root = invitations.tree.roots[member]
        if self.member(root).group == Member.leftOut { return false }
        if let roots = invitations.roots, !roots.contains(root) || Int(root) == member { return false }
        guard let keepsDoubt, let doubts = invitations.doubts else { return true }
        return keepsDoubt[Int(doubts.reasons[member].rawValue)]
    }

    private func doubts(_ inviters: [Int32]) -> DoubtfulInstalls {
        DoubtfulInstalls(inviters: inviters, fast: fast, shared: shared) { members[$0].install }
    }

    /// Those of the people whom the rows count.
    var otherCurrencies: [OtherCurrencies] {
        var others = OtherCurrencies(run)
        guard worths.contains(where: { $0.currency != currency }) else { return [others] }
        let isWhole = report.filter.isEmpty && report.below == nil
        let invitations = isWhole ? nil : invitations(inviters(), withDoubts: keepsDoubt != nil)
        for worth in worths where worth.currency != currency {
            if let invitations, !counts(Int(worth.member), invitations) { continue }
            others.add(Int128(worth.value), of: worth.currency, conversions: Int64(worth.conversions))
        }
        return [others]
    }

    consuming func finish(beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let inviters = inviters()
        // They are needed no more, and the tree takes as much.
        posters = Posters()
        return try rows(invitations(inviters, withDoubts: true), beside: other)
    }

    private func rows(_ invitations: Invitations, beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let tree = invitations.tree
        let deeds = Deeds(of: self, tree)
        let deepest = members.indices.reduce(0) { counts($1, invitations) ? max($0, Int(tree.generations[$1])) : $0 }
        let depth = min(report.depth, deepest)
        var sums = Sums(depth: depth, self)
        for (group, people) in alone {
            for _ in 0..<people { count(GenerationCounts.Share(row: 0), chainsOf: group, doubt: nil, in: &sums) }
        }
        var worth = 0
        for member in members.indices where counts(member, invitations) {
            var share = GenerationCounts.Share(row: min(Int(tree.generations[member]), depth + 1))
            share.posts = members[member].posts
            share.invited = deeds.invited[member]
            if share.invited > 0 { share.wait = max(0, deeds.firstInvited[member] - members[member].install) }
            let reasons = invitations.doubts?.reasons[member] ?? []
            share.isDoubtful = !reasons.isEmpty
            while worth < worths.count, worths[worth].member <= member {
                let own = worths[worth]
                if own.member == member, own.currency == currency { share.value += Int128(own.value) }
                worth += 1
            }
            let root = self.member(tree.roots[member])
            count(share, chainsOf: root.group, doubt: reasons.first, in: &sums)
        }
        return try rows(sums, beside: other)
    }

    /// What rows are made of.
    private struct Sums {
        var total: GenerationCounts
        /// Of chains that begin with an install without a touch.
        var direct: GenerationCounts
        var groups: LimitedGroups<GenerationCounts>

        init(depth: Int, _ fold: GenerationsFold) {
            total = GenerationCounts(depth: depth)
            direct = total
            groups = LimitedGroups(
                total,
                size: total.rows.count * MemoryLayout<GenerationCounts.Row>.stride,
                countsLimit: LimitedGroups<GenerationCounts>.defaultCountsLimit,
                showsAll: !fold.finder.isOpen,
                fold.run.file
            )
            for key in fold.finder.fixedKeys { groups.position(of: key) }
        }
    }

    /// - Parameters:
    ///   - group: of the first person of the chain.
    ///   - doubt: the person's own.
    private func count(_ share: GenerationCounts.Share, chainsOf group: Int32, doubt: Int?, in sums: inout Sums) {
        sums.total.add(share)
        guard report.grouping != .none else { return }
        if report.grouping.isOfInvitations {
            sums.groups.update(GroupKey(number: doubt), from: share) { _ in }
        } else if group == Member.direct {
            return sums.direct.add(share)
        } else {
            forEachKey(of: group) { key in sums.groups.update(key, from: share) { _ in } }
        }
        sums.groups.endPerson()
    }

    /// Whom people invited who installed in the range, by number.
    private struct Deeds {
        var invited: [UInt32]
        /// When the first of those installed.
        var firstInvited: [Int64]

        init(of fold: GenerationsFold, _ tree: InvitationTree) {
            invited = Array(repeating: 0, count: tree.inviters.count)
            firstInvited = Array(repeating: .max, count: tree.inviters.count)
            for (number, inviter) in tree.inviters.enumerated() where inviter >= 0 {
                let member = fold.members[number]
                guard member.isCounted else { continue }
                invited[Int(inviter)] += 1
                firstInvited[Int(inviter)] = min(firstInvited[Int(inviter)], member.install)
            }
        }
    }

    private func rows(_ sums: Sums, beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let (total, groups) = (sums.total, sums.groups)
        let first = report.below == nil ? 0 : 1
        guard report.grouping != .none else {
            return total.named(from: first).map { [.text($0.name)] + $0.row.cells }
        }
        let keys = groups.keys(beside: other?.lazy.map { $0[1] }, report.limit, finder)
        try run.size.check(rows: (keys.count + 3) * total.named(from: first).count)
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        var parts = finder.ordered(named.filter { fixed.contains($0.0) || $0.1.people > 0 }) { $0.people }
        if let others, others.people > 0 { parts.append((ReportNames.others, others)) }
        if !report.grouping.isOfCohort, !report.grouping.isOfInvitations {
            parts.append((ReportNames.direct, sums.direct))
        }
        parts.append((ReportNames.total, total))
        return parts.flatMap { part in
            part.counts.named(from: first).map { [.text($0.name), .text(part.name)] + $0.row.cells }
        }
    }
}
