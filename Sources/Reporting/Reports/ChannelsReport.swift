import Events
import InboundLinks

/// Touches by channel, and what their last touches brought.
struct ChannelsReport: Report {
    static let name = "channels"
    static let summary = "Touches by channel, with the installs, conversions and value credited to the last touch."
    static let parameters: [ReportParameter] = [.goal, .lookback]
    static let columns: [ReportColumn] = [
        .text(
            "channel",
            "The way in, in a fixed order; `direct` stands for installs and conversions without a touch, `total` for everything."
        ),
        .touches, .touchPeople, .authenticatedTouches, .creditedInstalls, .creditedConversions, .creditedValue,
    ]

    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    func demand(in range: ReportRange) -> TimelineDemand {
        lastTouch.demand(in: range)
    }

    func makeFold(_ run: ReportRun) -> ChannelsFold {
        ChannelsFold(events: lastTouch.events(run), lookback: lastTouch.lookback.duration, range: run.range)
    }
}

struct ChannelsFold: ReportFold {
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

    private let events: CreditedEvents
    private let lookback: Duration
    private let range: ReportRange
    /// By `Channel.position`.
    private var channels = Array(repeating: Row(), count: Channel.allCases.count)
    private var direct = Row()
    private var total = Row()
    private var people = 0

    init(events: CreditedEvents, lookback: Duration, range: ReportRange) {
        self.events = events
        self.lookback = lookback
        self.range = range
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where range.contains(touch.time) {
            channels[touch.channel.position].touches.add(touch, of: number)
            total.touches.add(touch, of: number)
        }
        let events = events
        events.forEach(of: person) { event in
            total.credits.add(event, units: CreditUnits.one)
            if let touch = person.lastTouch(before: event, within: lookback) {
                channels[touch.channel.position].credits.add(event, units: CreditUnits.one)
            } else {
                direct.credits.add(event, units: CreditUnits.one)
            }
        }
    }

    mutating func merge(_ other: ChannelsFold) {
        for position in channels.indices { channels[position] += other.channels[position] }
        direct += other.direct
        total += other.total
    }

    consuming func finish() -> [[ReportCell]] {
        zip(Channel.allCases, channels).map { channel, row in row.cells(named: channel.rawValue) }
            + [direct.cells(named: ReportNames.direct), total.cells(named: ReportNames.total)]
    }
}
