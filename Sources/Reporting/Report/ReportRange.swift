import Events
package import Time
import Timelines

/// The instants of a report: `from` is included, `to` is not.
package struct ReportRange: Equatable, Sendable {
    package var from: Timestamp
    package var to: Timestamp

    func contains(_ instant: Timestamp) -> Bool {
        from <= instant && instant < to
    }

    /// Whether it lies in several months of UTC.
    var spansMonths: Bool { from.rfc3339.prefix(7) != to.advanced(by: .microseconds(-1)).rfc3339.prefix(7) }
}

extension TimelineQuery {
    /// The events of a range.
    ///
    /// - Parameter lookback: how long before the range touches are needed, which get credit for its events.
    init(_ types: Set<EventType>, in range: ReportRange, lookback: ReportDuration? = nil, needs: Needs = .ids) {
        self.init(
            types: types,
            touchesFrom: lookback.map { range.from.advanced(by: .zero - $0.duration) } ?? range.from,
            eventsFrom: range.from,
            through: range.to,
            needs: needs
        )
    }
}
