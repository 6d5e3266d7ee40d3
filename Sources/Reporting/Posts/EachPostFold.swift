import Events
import InboundLinks
import Time
import Timelines

/// The single posts of the range and what they brought, those that brought nobody too.
struct EachPostFold {
    private struct Row {
        var posted: Timestamp
        var event: EventID
        /// Whether the event of the post says that it was posted.
        var isPosted = false
        var touches = TouchCounts()
        /// The position of the credits; −1: it has none.
        var credits: Int32 = -1
    }

    private let report: PostsReport
    private let range: ReportRange
    private let events: CreditedEvents
    private let dictionary: TimelineDictionary
    /// Of rows, by the place of the post among the details of all posts.
    private var positions = GroupPositions()
    private var rows: [Row] = []
    private var credits: [LastTouchCredits] = []
    private var total = (touches: TouchCounts(), credits: LastTouchCredits())
    private var touching = GroupPeople()
    private var people = 0
    private(set) var others: OtherCurrencies

    init(_ report: PostsReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        dictionary = run.dictionary
        events = CreditedEvents(
            range: run.range,
            goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
        others = OtherCurrencies(run)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where range.contains(touch.time) {
            guard let row = row(ofStory: person.events[touch.event].storyPost) else { continue }
            total.touches.add(touch, of: number)
            if rows[row].touches.add(touch, of: number) { touching.add(to: row) }
        }
        touching.endPerson()
        for position in person.events.indices {
            let event = person.events[position]
            guard case .posted? = event.outcome, range.contains(event.occurredAt),
                let place = dictionary.storyPosts.details?.place(of: event.id)
            else { continue }
            rows[row(at: place, event.id, event.occurredAt)].isPosted = true
        }
        let events = events
        events.forEach(of: person) { event in
            guard let touch = person.lastTouch(before: event, within: report.lookback.microseconds),
                let row = row(ofStory: person.events[touch.event].storyPost)
            else { return }
            credits[creditsPosition(ofRow: row)].add(event, units: CreditUnits.one)
            total.credits.add(event, units: CreditUnits.one)
            others.add(person.events[event.position])
        }
    }

    /// The position of the row of the post that a touch came from; nil if it came from none of the range.
    private mutating func row(ofStory code: Code) -> Int? {
        guard !code.isNone else { return nil }
        let posted = dictionary.storyPosts.time(of: code)
        guard range.contains(posted), let place = dictionary.storyPosts.place(of: code),
            let event = dictionary.storyPosts.detail(of: code)?.event
        else { return nil }
        return row(at: place, event, posted)
    }

    private mutating func row(at place: Int32, _ event: EventID, _ posted: Timestamp) -> Int {
        let (position, isNew) = positions.position(of: GroupKey(number: Int(place)))
        if isNew { rows.append(Row(posted: posted, event: event)) }
        return position
    }

    private mutating func creditsPosition(ofRow row: Int) -> Int {
        if rows[row].credits < 0 {
            rows[row].credits = Int32(credits.count)
            credits.append(LastTouchCredits())
        }
        return Int(rows[row].credits)
    }

    mutating func merge(_ other: EachPostFold) {
        var places: [Int] = []
        for (key, row) in zip(other.positions.keys, other.rows) {
            let place = self.row(at: Int32(key.number ?? 0), row.event, row.posted)
            places.append(place)
            rows[place].isPosted = rows[place].isPosted || row.isPosted
            rows[place].touches += row.touches
            guard row.credits >= 0 else { continue }
            credits[creditsPosition(ofRow: place)] += other.credits[Int(row.credits)]
        }
        touching.merge(other.touching, at: places)
        total.touches += other.total.touches
        total.credits += other.total.credits
        others += other.others
    }

    /// The posts in the order of the report; those that it leaves open by touches, then by time.
    consuming func finish() -> [[ReportCell]] {
        let counted = rows.indices.filter { rows[$0].isPosted || rows[$0].touches.touches > 0 || rows[$0].credits >= 0 }
        let shown = smallest(report.limit, of: counted) { one, other in
            let (first, second) = (rows[one], rows[other])
            let values = (sortValue(of: first), sortValue(of: second))
            if values.0 != values.1 { return (values.0 > values.1) != report.isReversed }
            if first.touches.touches != second.touches.touches {
                return first.touches.touches > second.touches.touches
            }
            return first.posted == second.posted ? first.event < second.event : first.posted < second.posted
        }
        var cells = shown.map { position in
            [
                .text(rows[position].event.description), .text(rows[position].posted.rfc3339),
                poster(of: positions.keys[position]), .empty, .empty, .empty,
            ] + Self.figures(rows[position].touches, credits(of: rows[position]))
        }
        if shown.count < counted.count {
            let others = self.others(than: shown)
            cells.append(Self.name(ReportNames.others) + Self.figures(others.touches, others.credits))
        }
        cells.append(Self.name(ReportNames.total) + Self.figures(total.touches, total.credits))
        return cells
    }

    /// As shown, so that hidden digits never decide the order.
    private func sortValue(of row: Row) -> Int128 {
        switch report.sortColumn {
        case .touches: Int128(row.touches.touches)
        case .people: Int128(row.touches.people)
        case .installs: credits(of: row).installs.millionths
        case .conversions: credits(of: row).conversions.millionths
        case .value: credits(of: row).conversions.valueMillionths
        case .postedAt: Int128(row.posted.microseconds)
        }
    }

    private func others(than shown: [Int]) -> (touches: TouchCounts, credits: LastTouchCredits) {
        var isOther = [Bool](repeating: true, count: rows.count)
        for position in shown { isOther[position] = false }
        var others = (touches: TouchCounts(), credits: LastTouchCredits())
        for (position, row) in rows.enumerated() where isOther[position] {
            others.touches += row.touches
            others.credits += credits(of: row)
        }
        others.touches.replacePeople(with: touching.count { isOther[$0] })
        return others
    }

    private func credits(of row: Row) -> LastTouchCredits {
        row.credits < 0 ? LastTouchCredits() : credits[Int(row.credits)]
    }

    /// The id of the person who posted, without the first byte of the key, which says what the id is of.
    private func poster(of key: GroupKey) -> ReportCell {
        guard let details = dictionary.storyPosts.details, let place = key.number else { return .empty }
        let code = details[Int32(place)].poster
        return code.isNone
            ? .empty : .text(String(decoding: details.posters.bytes(of: code).dropFirst(), as: UTF8.self))
    }

    private static func name(_ name: String) -> [ReportCell] {
        [.text(name)] + Array(repeating: .empty, count: 5)
    }

    private static func figures(_ touches: TouchCounts, _ credits: LastTouchCredits) -> [ReportCell] {
        touches.cells.prefix(2) + credits.cells
    }
}
