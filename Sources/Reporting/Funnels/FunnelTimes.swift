import Time
import Timelines

/// How long people took from a start to a step: percentiles, and a histogram.
struct FunnelTimes {
    /// Where the bins end, in seconds: 1, 5, 15, 60 s, 5, 15, 60 min, 6 h, 1, 3, 7, 30, 90 days. The first bin begins
    /// at 0, each other one where the one before ends. No window is longer than the last end.
    static let bounds: [Int64] = [
        1, 5, 15, 60, 300, 900, 3600, 6 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400, 90 * 86_400,
    ]
    static let percents = [50, 90, 95, 99]

    /// The bins that times within the window can be in.
    private let bounds: ArraySlice<Int64>

    init(window: ReportDuration) {
        let last = Self.bounds.firstIndex { .seconds($0) >= window.duration } ?? Self.bounds.count - 1
        bounds = Self.bounds[...last]
    }

    /// The cells of each bin's row: the percentiles, which are the same in all rows, and the bin.
    ///
    /// - Parameter step: not the first.
    func rows(of counts: FunnelCounts, at step: Int) throws -> [[ReportCell]] {
        let percentiles = try counts.percentileSeconds(Self.percents, at: step)
        let ends = bounds.map { $0 * 1_000_000 }
        var bins = ends.map { _ in 0 }
        try counts.forEachPieceOfTimes(at: step) { times in
            // No time is longer than the window.
            for time in times { bins[ends.firstPosition { time <= $0 }] += 1 }
        }
        let people = bins.reduce(0, +)
        return bins.indices.map { bin in
            percentiles + [
                .integer(bin == 0 ? 0 : bounds[bin - 1]), .integer(bounds[bin]),
                .integer(Int64(bins[bin])), .fraction(bins[bin], of: people),
            ]
        }
    }
}
