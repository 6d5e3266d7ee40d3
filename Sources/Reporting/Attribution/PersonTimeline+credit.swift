import Events
import Time
import InboundLinks
import Timelines

extension PersonTimeline {
    /// Positions in `touches` of those with from ≤ t ≤ through.
    func touches(from start: Timestamp, through end: Timestamp) -> Range<Int> {
        let lower = touches.firstPosition { $0.time >= start }
        let upper = touches.firstPosition { $0.time > end }
        return lower..<max(lower, upper)
    }

    /// The last touch (by t, then event id) that may get credit for an event, nil if there is none.
    ///
    /// - Parameter lookback: in microseconds.
    func lastTouch(before event: CreditedEvent, within lookback: Int64) -> TimelineTouch? {
        if isDirect(event) { return nil }
        let start = event.time.advanced(byMicroseconds: -lookback)
        var position = touches.firstPosition { $0.time > event.time }
        while position > 0, touches[position - 1].time >= start {
            position -= 1
            if mayTakeCredit(touches[position], for: event) { return touches[position] }
        }
        return nil
    }

    /// Copies all touches that may get credit for an event, ordered by (t, event id).
    ///
    /// - Parameter lookback: in microseconds.
    func copyTouches(before event: CreditedEvent, within lookback: Int64, to copies: inout [TimelineTouch]) {
        copies.removeAll(keepingCapacity: true)
        if isDirect(event) { return }
        for position in touches(before: event, within: lookback) where mayTakeCredit(touches[position], for: event) {
            copies.append(touches[position])
        }
    }

    private func touches(before event: CreditedEvent, within lookback: Int64) -> Range<Int> {
        touches(from: event.time.advanced(byMicroseconds: -lookback), through: event.time)
    }

    /// Whether no touch may take credit: an install whose referrer was injected.
    private func isDirect(_ event: CreditedEvent) -> Bool { event.isInstall && events[event.position].isInjected }

    /// Only people who have the app see bookmarks, so such a touch brings no install.
    private func mayTakeCredit(_ touch: TimelineTouch, for event: CreditedEvent) -> Bool {
        // A pattern, not "==", because "==" of another module's enum is looked up at each use.
        guard event.isInstall, case .bookmarks = touch.channel else { return true }
        return false
    }
}
