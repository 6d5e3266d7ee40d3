import Events
import InboundLinks

extension PersonTimeline {
    /// Positions in `touches` of those with from ≤ t ≤ through.
    func touches(from start: Timestamp, through end: Timestamp) -> Range<Int> {
        let lower = touches.firstPosition { $0.time >= start }
        let upper = touches.firstPosition { $0.time > end }
        return lower..<max(lower, upper)
    }

    /// The last touch (by t, then event id) that may take credit for an event at `time`, nil where there is none.
    ///
    /// - Parameter isInstall: whether the event is an install: bookmarks are shown only to people who have the app, so
    ///   those touches never count for one.
    func lastTouch(before time: Timestamp, within lookback: Duration, isInstall: Bool) -> TimelineTouch? {
        let start = Timestamp(microseconds: time.microseconds - lookback.wholeMicroseconds)
        for position in touches(from: start, through: time).reversed() {
            if isInstall, touches[position].channel == .bookmarks { continue }
            return touches[position]
        }
        return nil
    }
}

extension Array {
    /// The first position whose element passes, where all after a passing one pass too; `endIndex` where none does.
    func firstPosition(where passes: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
