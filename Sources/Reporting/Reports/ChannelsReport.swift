import Events
import InboundLinks
import Timelines

/// Touches by channel, and what their last touches brought.
struct ChannelsReport: PeriodReport, PeopleReport {
    static let name = "channels"
    static let summary = "Touches by channel, with the installs, conversions and value credited to the last touch."
    static let examples = ["--from 7d --by day", "--goal premium --lookback 1d"]
    static let parameters: [ReportParameter] = [.byPeriod] + LastTouchParameters.described
    static let columns: [ReportColumn] = [
        .text(
            "channel",
            "The channel, in a fixed order; `direct` counts installs and conversions without a touch, `total` counts everything."
        ),
        .touches, .touchPeople, .authenticatedTouches, .creditedInstalls, .creditedConversions, .creditedValue,
    ]

    static let allColumns = [PeriodParameter.column] + columns + ReportColumn.costs

    static let peopleFigures = LastTouchParameters.peopleFigures

    let period: PeriodParameter
    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    var namedValues: [NamedValue] { lastTouch.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        lastTouch.query(in: range)
    }

    func makeFold(_ run: ReportRun) -> ChannelsFold { ChannelsFold(self, run) }
}

struct ChannelsFold: PeopleFold {
    private struct Row {
        var touches = TouchCounts()
        var credits = LastTouchCredits()

        static func += (row: inout Row, other: Row) {
            row.touches += other.touches
            row.credits += other.credits
        }

        func cells(named name: String) -> [ReportCell] {
            [.text(name)] + touches.cells + credits.cells
        }
    }

    private static let names = Channel.allCases.map(\.rawValue) + [ReportNames.direct, ReportNames.total]

    /// Positions in `names`, after the channels'. Stored, not static: a static property that is computed checks at each
    /// use whether it has been.
    private let direct = names.count - 2
    private let total = names.count - 1
    private let events: CreditedEvents
    private let matcher: EventMatcher?
    /// In microseconds.
    private let lookback: Int64
    private let periods: ReportPeriods
    /// For each period, one row for each of `names`.
    private var rows: [Row]
    private var others: OtherCurrencies
    private var people = 0

    init(_ report: ChannelsReport, _ run: ReportRun) {
        events = report.lastTouch.events(run)
        matcher = report.lastTouch.filter.makeMatcher(run.dictionary)
        lookback = report.lastTouch.lookback.microseconds
        others = OtherCurrencies(run)
        periods = ReportPeriods(report.period.length, run)
        rows = Array(repeating: Row(), count: periods.count * Self.names.count)
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        people += 1
        let number = person.isPerson ? people : nil
        let width = total + 1
        for touch in person.touches {
            guard let period = periods.position(of: touch.time) else { continue }
            if let matcher, !matcher.keeps(person.events[touch.event]) { continue }
            let first = period * width
            let row = first + touch.channel.position
            rows[row].touches.add(touch, of: number)
            rows[first + total].touches.add(touch, of: number)
            let groups = (Self.group(row), Self.group(first + total))
            evidence.note(.touches, in: groups.0, and: groups.1, at: touch.time, person.events[touch.event])
        }
        let events = events
        events.forEach(of: person) { event in
            guard let period = periods.position(of: event.time) else { return }
            let first = period * width
            let touch = person.lastTouch(before: event, within: lookback)
            var units = CreditUnits.one
            if let matcher {
                units =
                    touch.map { matcher.kept(units, of: person.events[$0.event]) }
                    ?? (matcher.keepsDirect(person.events[event.position]) ? units : 0)
            }
            let row = first + (touch?.channel.position ?? direct)
            rows[row].credits.add(event, units: units)
            rows[first + total].credits.add(event, units: units)
            let groups = (Self.group(row), Self.group(first + total))
            evidence.note(event, units: units, in: groups.0, and: groups.1, person.events[event.position])
            others.add(person.events[event.position], units: units)
        }
    }

    var otherCurrencies: [OtherCurrencies] { [others] }

    mutating func merge(_ other: ChannelsFold) {
        others += other.others
        for position in rows.indices { rows[position] += other.rows[position] }
    }

    consuming func finish() -> [[ReportCell]] {
        rows.enumerated().map { position, row in
            let (period, name) = position.quotientAndRemainder(dividingBy: Self.names.count)
            return periods.cells(at: period) + row.cells(named: Self.names[name])
        }
    }

    private static func group(_ row: Int) -> PeopleGroup { .named(GroupKey(number: row)) }

    func peopleRows() -> [PeopleRow] {
        rows.indices.map { position in
            let (period, name) = position.quotientAndRemainder(dividingBy: Self.names.count)
            return PeopleRow(
                names: periods.cells(at: period) + [.text(Self.names[name])],
                groups: [Self.group(position)],
                isTotal: name == total
            )
        }
    }
}
