import Events
import InboundLinks

/// Posts and touches by ref: which category of story brings people.
struct RefsReport: Report {
    static let name = "refs"
    static let summary =
        "Posts and touches by ref, with the installs, conversions and value credited to the last touch."
    static let parameters: [ReportParameter] = [.goal, .lookback]
    static let columns: [ReportColumn] =
        [
            .text(
                "ref",
                "The category of post; `(none)` stands for events without one, `direct` for installs and conversions without a touch, `total` for everything."
            )
        ] + ReportColumn.posts(counted: "posts") + [
            .touches, .touchPeople, .authenticatedTouches, .creditedInstalls, .creditedConversions, .creditedValue,
            .ratio("touches_per_post", unit: "touches per post", "`touches` ÷ `posts`."),
            .ratio(
                "installs_per_poster",
                unit: "installs per person",
                "`installs` ÷ `posters`: the viral coefficient *K*. Above 1, people bring more people than they are."
            ),
        ]

    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    func demand(in range: ReportRange) -> TimelineDemand {
        var demand = lastTouch.demand(in: range)
        demand.types.insert(.feedPost)
        demand.needsRefs = true
        return demand
    }

    func makeFold(_ run: ReportRun) -> RefsFold {
        RefsFold(events: lastTouch.events(run), lookback: lastTouch.lookback.duration, run: run)
    }
}

struct RefsFold: ReportFold {
    private struct Row {
        var posts = PostCounts()
        var touches = TouchCounts()
        var credits = LastTouchCredits()

        static func += (row: inout Row, other: Row) {
            row.posts += other.posts
            row.touches += other.touches
            row.credits += other.credits
        }

        var isZero: Bool { posts.isZero && touches.touches == 0 && credits.isZero }

        func cells(named name: String) -> [ReportCell] {
            let installs = credits.installs.units
            let posters = Int128(posts.posters) * Int128(CreditUnits.one)
            return [.text(name)] + posts.cells + touches.cells + credits.cells
                + [.fraction(touches.touches, of: posts.posted), .fraction(installs, of: posters)]
        }
    }

    private let events: CreditedEvents
    private let lookback: Duration
    private let range: ReportRange
    private let dictionary: TimelineDictionary
    /// By ref.
    private var refs: [Row] = []
    private var none = Row()
    private var direct = Row()
    private var total = Row()
    private var people = 0

    init(events: CreditedEvents, lookback: Duration, run: ReportRun) {
        self.events = events
        self.lookback = lookback
        range = run.range
        dictionary = run.dictionary
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where range.contains(touch.time) {
            total.touches.add(touch, of: number)
            forEachRow(of: touch.refs) { row, _, _ in row.touches.add(touch, of: number) }
        }
        for position in person.events.indices where person.events[position].type == .feedPost {
            guard range.contains(person.events[position].occurredAt) else { continue }
            guard let outcome = person.events[position].outcome else { continue }
            total.posts.add(outcome, by: number)
            forEachRow(of: person.events[position].refs) { row, _, _ in row.posts.add(outcome, by: number) }
        }
        let events = events
        events.forEach(of: person) { event in
            total.credits.add(event, units: CreditUnits.one)
            if let touch = person.lastTouch(before: event, within: lookback) {
                forEachRow(of: touch.refs) { row, index, count in
                    row.credits.add(event, units: CreditUnits.share(index, of: count, of: CreditUnits.one))
                }
            } else {
                direct.credits.add(event, units: CreditUnits.one)
            }
        }
    }

    /// Calls `body` with the row of each ref of a list, its position and their number; with `(none)` for no refs.
    private mutating func forEachRow(of list: Code, _ body: (inout Row, Int, Int) -> Void) {
        let members = dictionary.refs(of: list)
        if members.isEmpty { body(&none, 0, 1) }
        for (index, ref) in members.enumerated() {
            while refs.count <= ref.index { refs.append(Row()) }
            body(&refs[ref.index], index, members.count)
        }
    }

    mutating func merge(_ other: RefsFold) {
        while refs.count < other.refs.count { refs.append(Row()) }
        for position in other.refs.indices { refs[position] += other.refs[position] }
        none += other.none
        direct += other.direct
        total += other.total
    }

    consuming func finish() -> [[ReportCell]] {
        refs.enumerated()
            .filter { !$0.element.isZero }
            .map { (name: dictionary.refs.text(of: Code(rawValue: Int32($0.offset))), row: $0.element) }
            .sorted {
                $0.row.posts.posted == $1.row.posts.posted
                    ? precedes($0.name, $1.name) : $0.row.posts.posted > $1.row.posts.posted
            }
            .map { $0.row.cells(named: $0.name) }
            + [
                none.cells(named: ReportNames.none),
                direct.cells(named: ReportNames.direct),
                total.cells(named: ReportNames.total),
            ]
    }
}
