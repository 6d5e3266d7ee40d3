import Events
import InboundLinks
import Time
import Timelines

/// Keeps of each person who installed or posted what the tree of invitations needs, and makes the tree at the end.
struct GenerationsFold: LimitedFold {
    let report: GenerationsReport
    let run: ReportRun
    private let range: ReportRange
    let dictionary: TimelineDictionary
    let finder: GroupFinder
    private let ofInstall: EventMatcher?
    private let ofTouch: EventMatcher?
    /// By raw values of reasons, whether conditions keep people whose install is doubtful for these; nil if none is.
    let keepsDoubt: [Bool]?
    let currency: Code
    /// Those of whom others may need to know, or of whom there is more to know than a group.
    var members = PagedArray<GenerationMember>()
    /// How many people count of whom nothing but this is known: they came by themselves, invited nobody, and what their
    /// chain, which is they alone, is grouped by.
    var alone: [Int32: Int] = [:]
    var posters = Posters()
    var fast = PagedArray<Int32>()
    var shared = PagedArray<DoubtfulInstalls.OnSharedDevice>()
    /// In the order of members.
    var worths = PagedArray<GenerationWorth>()

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
        var member = GenerationMember(install: time.microseconds)
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
        guard group != GenerationMember.leftOut, report.below == nil, keepsDoubt?[0] ?? true else { return }
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
            worths.append(GenerationWorth(member: number, currency: event.currency, value: event.value, conversions: 1))
        }
    }

    /// Whether conditions keep what has none of the properties.
    var keepsNothing: Bool { (ofInstall?.keepsNothing ?? true) && (ofTouch?.keepsNothing ?? true) }

    /// What chains that begin with an install are grouped by, as `retention` groups people by their install.
    private func group(of install: TimelineEvent, _ touch: (event: TimelineEvent, time: Timestamp)?) -> Int32 {
        if let ofInstall, !ofInstall.keeps(install) { return GenerationMember.leftOut }
        if let ofTouch {
            guard let touch, ofTouch.keeps(touch.event) else { return GenerationMember.leftOut }
        }
        guard report.grouping != .none, !report.grouping.isOfInvitations else { return GenerationMember.nothing }
        let grouped = report.grouping.isOfCohort ? (install, install.occurredAt) : touch
        guard let grouped else { return GenerationMember.direct }
        if case .refs = report.grouping.source {
            return grouped.0.refs.isNone ? GenerationMember.nothing : grouped.0.refs.rawValue
        }
        var group = GenerationMember.nothing
        finder.forEachKey(of: grouped.0, at: grouped.1) { key in
            if let number = key.number { group = Int32(truncatingIfNeeded: number) }
        }
        return group
    }

    /// Calls `body` with each row for chains that are grouped so.
    func forEachKey(of group: Int32, _ body: (GroupKey) -> Void) {
        guard group != GenerationMember.nothing, case .refs = report.grouping.source else {
            return body(GroupKey(number: group == GenerationMember.nothing ? nil : Int(group)))
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
}
