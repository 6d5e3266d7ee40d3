import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// Clicks on short links, and what their last touches brought.
struct LinksReport: AmendedReport, PeopleReport {
    static let name = "links"
    static let summary =
        "Clicks on short links, previews of them, and the installs, conversions and value credited to the last touch."
    static let examples = ["--from 7d", "--goal premium --lookback 1d"]
    static let parameters: [ReportParameter] =
        [GroupFinder.limit("clicks", isOptional: true)] + LastTouchParameters.described
    static let columns: [ReportColumn] = [
        .text(
            "link",
            "The short link, `host/slug`, of every link for which anything is counted; `(others)` counts all beyond `--limit`, among them those of which only hits are counted; `total` counts all links together."
        ),
        .text("host", "Its host; empty in `(others)` and `total`."),
        .text("ref", "Its refs as they are now, separated by commas."),
        .integer("clicks", unit: "touches", "Clicks on the link whose time lies in the range."),
        .integer("people", unit: "people", "Distinct people of these clicks."),
        .integer("previews", unit: "requests", "Requests of link previewers on days (UTC) that begin in the range."),
        .integer("bots", unit: "requests", "Requests of other bots on these days."),
        .creditedInstalls,
        .decimal(
            "authentications",
            unit: "authentications",
            "Last-touch credits of granted `authentication` events in the range; the touch may lie before it."
        ),
        .creditedConversions, .creditedValue,
        .rate("preview_share", "`previews` ÷ (`clicks` + `previews` + `bots`).")
            .asShare(.ofColumns("previews", of: ["clicks", "previews", "bots"])),
        .rate("bot_share", "`bots` ÷ (`clicks` + `previews` + `bots`).")
            .asShare(.ofColumns("bots", of: ["clicks", "previews", "bots"])),
        .integer(
            "returned",
            unit: "touches",
            "Those of `clicks` whose id came back: another event of the person has it as `click_id`, from an hour before "
                + "the click to 90 days after it."
        ),
        .rate("return_rate", "`returned` ÷ `clicks`.").asShare(.ofColumns("returned", of: ["clicks"])),
    ]

    static let allColumns = columns + ReportColumn.costs

    static let peopleFigures = LastTouchParameters.peopleFigures

    static func rowNames(by grouping: String?) -> [String] { ["link"] }

    /// Nil: all links are shown.
    let limit: Int?
    let lastTouch: LastTouchParameters
    /// Whether only some people count. Hits are of nobody.
    private let isOfSome: Bool

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        limit = try parameters.optionalGroupLimit()
        lastTouch = try LastTouchParameters(reading: &parameters)
        isOfSome = [ReportParameter.with, .without].contains { !parameters.texts($0.name).isEmpty }
    }

    var namedValues: [NamedValue] { lastTouch.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = lastTouch.query(in: range)
        query.needs.insert(.links)
        // Whatever names a click.
        let returns = TimelineQuery(
            types: Set(EventType.allCases),
            touchesFrom: query.touchesFrom,
            eventsFrom: range.from.advanced(by: .zero - PersonTimeline.clickTolerance),
            through: query.through.advanced(by: PersonTimeline.returnWindow)
        )
        return query.union(returns)
    }

    func makeFold(_ run: ReportRun) -> LinksFold { LinksFold(self, run) }

    /// Adds the refs and the hits of links.
    func amended(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]]?,
        about events: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]] {
        let addresses = try rows.dropLast().filter { $0[0] != .text(ReportNames.others) }.map { row in
            guard let address = row[0].plainText.flatMap(LinkAddress.init(name:)) else {
                throw TimelineError.unknownLabel("short_link")
            }
            return address
        }
        var links = try ReportedLink.read(
            addresses,
            of: events.app,
            from: events.range.from,
            to: events.range.to,
            limit: AnswerSize.read + 1,
            on: connection
        )
        try AnswerSize.check(read: links.count)
        let hasHits = hasHits
        let touched = Set(addresses)
        links.removeAll { link in
            let name = link.address.name
            return hasHits
                ? !lastTouch.filter.conditions.allSatisfy { $0.isMet(by: name) }
                : !touched.contains(link.address)
        }
        return self.rows(rows, beside: other ?? [], with: links)
    }

    /// Whether there are figures of hits: of all people, and a filter may only ask for their link, the one property
    /// that they have.
    fileprivate var hasHits: Bool { !isOfSome && lastTouch.filter.conditions.allSatisfy { $0.key == .link } }

    /// - Parameters:
    ///   - rows: those of the fold, with `total` at the end.
    ///   - other: those of the other range.
    private func rows(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]],
        with links: [ReportedLink]
    ) -> [[ReportCell]] {
        // By the bytes of the name, because two spellings of é are equal as strings.
        func bytes(_ row: [ReportCell]) -> [UInt8] { Array((row[0].plainText ?? "").utf8) }
        var rows = rows
        guard var total = rows.popLast() else { return [] }
        var others = rows.last?[0] == .text(ReportNames.others) ? [rows.removeLast()] : []
        var positions: [[UInt8]: Int] = [:]
        for (position, row) in rows.enumerated() { positions[bytes(row)] = position }
        let shown = Set(other.map(bytes))
        /// Previews and bots, of all links and of those in `(others)`.
        var (all, hidden) = (SIMD2<Int64>.zero, SIMD2<Int64>.zero)
        func fill(_ row: inout [ReportCell], with hits: SIMD2<Int64>) {
            if hasHits { (row[5], row[6]) = (.integer(hits[0]), .integer(hits[1])) }
        }
        for link in links {
            let name = link.address.name
            let position = positions[Array(name.utf8)] ?? rows.count
            let hits = SIMD2(link.previews, link.bots)
            all &+= hits
            if position == rows.count {
                guard limit == nil || shown.contains(Array(name.utf8)) else {
                    hidden &+= hits
                    continue
                }
                rows.append(LinksFold.Row().cells(named: name, hits: .integer(0)))
            }
            rows[position][2] = link.refs.isEmpty ? .empty : .text(link.refs.joined(separator: ","))
            fill(&rows[position], with: hits)
        }
        fill(&total, with: all)
        if others.isEmpty, hidden != .zero {
            others = [LinksFold.Row().cells(named: ReportNames.others, hits: .integer(0))]
        }
        for index in others.indices { fill(&others[index], with: hidden) }
        // Links without clicks were appended. All are shown by clicks, then by name.
        let sorted = rows.map { (clicks: $0[3], name: $0[0].plainText ?? "", cells: $0) }.sorted { first, second in
            guard case .integer(let one) = first.clicks, case .integer(let other) = second.clicks, one != other else {
                return precedes(first.name, second.name)
            }
            return one > other
        }
        return (sorted.map(\.cells) + others + [total]).map(Self.withShares)
    }

    /// The row with the shares that its counts of hits have; empty if they are.
    static func withShares(_ row: [ReportCell]) -> [ReportCell] {
        var shares: [ReportCell] = [.empty, .empty]
        if case .integer(let clicks) = row[3], case .integer(let previews) = row[5], case .integer(let bots) = row[6] {
            let all = clicks + previews + bots
            shares = [.fraction(previews, of: all), .fraction(bots, of: all)]
        }
        return row.prefix(11) + shares + row.suffix(2)
    }
}

struct LinksFold: LimitedFold, PeopleFold {
    struct Row {
        var clicks = TouchCounts()
        var authentications = CreditSum()
        var credits = LastTouchCredits()
        var returned: Int64 = 0

        static func += (row: inout Row, other: Row) {
            row.clicks += other.clicks
            row.authentications += other.authentications
            row.credits += other.credits
            row.returned += other.returned
        }

        /// Without refs, hits and their shares.
        ///
        /// - Parameter hits: the cell of each column of hits.
        func cells(named name: String, hits: ReportCell) -> [ReportCell] {
            let host = LinkAddress(name: name).map { ReportCell.text($0.host) } ?? .empty
            let counts = clicks.cells.prefix(2)
            let credits = credits.cells
            return [.text(name), host, .empty] + counts + [hits, hits, credits[0]]
                + [authentications.unitsCell] + credits.dropFirst()
                + [.empty, .empty, .integer(returned), .fraction(returned, of: Int64(clicks.touches))]
        }
    }

    private let events: CreditedEvents
    private let matcher: EventMatcher?
    private let hits: ReportCell
    /// In microseconds.
    private let lookback: Int64
    private let dictionary: TimelineDictionary
    private let limit: Int?
    private var rows = GroupTable(empty: Row())
    private var total = Row()
    /// For `(others)`, whose people are distinct.
    private var clicking = GroupPeople()
    private var others: OtherCurrencies
    private var people = 0

    init(_ report: LinksReport, _ run: ReportRun) {
        events = report.lastTouch.events(run)
        matcher = report.lastTouch.filter.makeMatcher(run.dictionary)
        lookback = report.lastTouch.lookback.microseconds
        limit = report.limit
        others = OtherCurrencies(run)
        hits = report.hasHits ? .integer(0) : .empty
        dictionary = run.dictionary
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where touch.isClick && events.range.contains(touch.time) {
            let link = person.events[touch.event].shortLink
            guard !link.isNone, matcher?.keeps(person.events[touch.event]) ?? true else { continue }
            let row = rows.position(of: GroupKey(code: link))
            if rows[row].clicks.add(touch, of: number), limit != nil { clicking.add(people, to: row) }
            total.clicks.add(touch, of: number)
            if isReturned(touch, of: person) {
                rows[row].returned += 1
                total.returned += 1
            }
            evidence.note(.touches, in: .of(link), and: .total, at: touch.time, person.events[touch.event])
        }
        let events = events
        events.forEach(of: person) { event in
            let (link, units) = credit(event, of: person) { row, units in row.credits.add(event, units: units) }
            others.add(person.events[event.position], units: units)
            evidence.note(event, units: units, in: .of(link), and: .total, person.events[event.position])
        }
        for position in person.events.indices {
            guard case .authentication = person.events[position].type,
                case .granted = person.events[position].login,
                events.range.contains(person.events[position].occurredAt)
            else { continue }
            let time = person.events[position].occurredAt
            let event = CreditedEvent(position: position, time: time, isInstall: false, value: 0)
            credit(event, of: person) { row, units in row.authentications.add(units: units, value: 0) }
        }
    }

    private func isReturned(_ touch: TimelineTouch, of person: borrowing PersonTimeline) -> Bool {
        guard !person.returns.isEmpty else { return false }
        let click = person.events[touch.click ?? touch.event].id
        let from = touch.time.advanced(by: .zero - PersonTimeline.clickTolerance)
        let through = touch.time.advanced(by: PersonTimeline.returnWindow)
        return person.returns.contains { $0.click == click && from <= $0.time && $0.time <= through }
    }

    /// Changes the row of the link that an event's last touch came through, and `total`.
    ///
    /// - Parameter body: gets the credit's units, too.
    /// - Returns: the link and these units, which are 0 if no link is credited.
    @discardableResult
    private mutating func credit(
        _ event: CreditedEvent,
        of person: borrowing PersonTimeline,
        _ body: (inout Row, Int64) -> Void
    ) -> (link: Code, units: Int64) {
        guard let touch = person.lastTouch(before: event, within: lookback) else { return (.none, 0) }
        let link = person.events[touch.event].shortLink
        let units = matcher?.kept(CreditUnits.one, of: person.events[touch.event]) ?? CreditUnits.one
        guard !link.isNone, units > 0 else { return (.none, 0) }
        rows.update(GroupKey(code: link)) { body(&$0, units) }
        body(&total, units)
        return (link, units)
    }

    var otherCurrencies: [OtherCurrencies] { [others] }
    var size: Int { rows.size + clicking.size }
    var rowCount: Int { min(limit ?? .max, rows.rows.count) + 2 }

    mutating func merge(_ other: LinksFold) {
        others += other.others
        clicking.merge(other.clicking, at: rows.merge(other.rows, +=))
        total += other.total
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        let shown = shown(beside: other)
        let others = rows.others(than: shown, +=) { $0.clicks.replacePeople(with: clicking.count(of: $1)) }
        let cells = shown.rows(
            { rows[$0].cells(named: name(of: rows.keys[$0]), hits: hits) },
            others: others?.cells(named: ReportNames.others, hits: hits)
        )
        return (cells + [total.cells(named: ReportNames.total, hits: hits)]).map(LinksReport.withShares)
    }

    func peopleRows() -> [PeopleRow] {
        rows.peopleRows(of: shown(), name: name)
            + [PeopleRow(names: [.text(ReportNames.total)], groups: [.total], isTotal: true)]
    }

    private func shown(beside other: [[ReportCell]]? = nil) -> ShownGroups {
        rows.shown(limit, beside: other?.map { $0[0] }, count: \.clicks.touches, name: name)
    }

    private func name(of link: GroupKey) -> String { dictionary[.link].text(of: link.code) }
}
