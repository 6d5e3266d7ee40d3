import Foundation
import Time
import Timelines

/// How the touches before an install or conversion share its credit (docs/reports.md, *attribution*).
enum AttributionModel: String, CaseIterable, Sendable {
    case last
    case first
    case linear
    /// 40 % to the first touch, 40 % to the last, 20 % to those between.
    case position
    /// A touch gets half the weight of one that is 7 days later.
    case decay

    /// In microseconds.
    static let halfLife = 7 * 86_400_000_000.0

    /// The credit of each touch, in `CreditUnits`. The sum is exactly one event's credit.
    ///
    /// - Parameters:
    ///   - touches: at least one, ordered by (t, event id).
    ///   - time: when the event happened.
    ///   - shares: is emptied, then filled with one element for each touch.
    func split(
        among touches: some RandomAccessCollection<TimelineTouch>,
        at time: Timestamp,
        into shares: inout [Int64]
    ) {
        let count = touches.count
        let one = CreditUnits.one
        shares.removeAll(keepingCapacity: true)
        switch self {
        case .last:
            for index in 0..<count { shares.append(index == count - 1 ? one : 0) }
        case .first:
            for index in 0..<count { shares.append(index == 0 ? one : 0) }
        case .linear,
            .position where count <= 2:
            for index in 0..<count { shares.append(CreditUnits.share(index, of: count, of: one)) }
        case .position:
            shares.append(one / 5 * 2)
            for index in 0..<count - 2 { shares.append(CreditUnits.share(index, of: count - 2, of: one / 5)) }
            shares.append(one / 5 * 2)
        case .decay:
            // Computed twice instead of stored: most people have few touches.
            func weight(of touch: TimelineTouch) -> Double {
                exp2(Double(touch.time.microseconds - time.microseconds) / Self.halfLife)
            }
            let sum = touches.reduce(0) { $0 + weight(of: $1) }
            // Credits are differences of rounded running sums, so rounding neither loses nor adds credit.
            var running = 0.0
            var given: Int64 = 0
            for (index, touch) in touches.enumerated() {
                running += weight(of: touch)
                let upTo = index == count - 1 ? one : Int64((running / sum * Double(one)).rounded())
                shares.append(upTo - given)
                given = upTo
            }
        }
    }
}
