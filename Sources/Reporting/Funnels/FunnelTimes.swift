import InboundLinks

/// How long people took from a start to a step: percentiles, and a histogram.
struct FunnelTimes {
    /// Where the bins end, in seconds: 1, 5, 15, 60 s, 5, 15, 60 min, 6 h, 1, 3, 7, 30, 90 days. Each begins where the one
    /// before it ends, the first at 0. No window is longer than the last.
    static let bounds: [Int64] = [
        1, 5, 15, 60, 300, 900, 3600, 6 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400, 90 * 86_400,
    ]
    static let percents = [50, 90, 95, 99]

    /// The bins that times within a window can lie in.
    private let bounds: ArraySlice<Int64>

    init(window: ReportDuration) {
        let last = Self.bounds.firstIndex { .seconds($0) >= window.duration } ?? Self.bounds.count - 1
        bounds = Self.bounds[...last]
    }

    /// The cells of each bin's row: the percentiles, which are the same for all, and the bin.
    ///
    /// - Parameter times: microseconds, ascending, from 0 up to the window.
    func rows(of times: [Int64]) -> [[ReportCell]] {
        let percentiles: [ReportCell] = Self.percents.map {
            times.isEmpty ? .empty : .decimal(millionths: percentile($0, ofSorted: times))
        }
        var rows: [[ReportCell]] = []
        var lower: Int64 = 0
        var begin = 0
        for upper in bounds {
            let end = times.firstPosition { $0 > upper * 1_000_000 }
            rows.append(
                percentiles + [
                    .integer(lower), .integer(upper), .integer(Int64(end - begin)),
                    .fraction(end - begin, of: times.count),
                ]
            )
            lower = upper
            begin = end
        }
        return rows
    }
}
