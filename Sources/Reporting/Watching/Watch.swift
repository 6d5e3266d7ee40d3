import Foundation
import Time

/// Tells once when a figure changes, and once when the change is over. A value without I/O: it gets the figures of a
/// period and of the same weekdays of the eight weeks before, and remembers what it has told.
struct Watch {
    static let weeks = 8
    /// Fewer weeks give no verdict.
    static let fewestWeeks = 4
    /// The chance of a false alarm in a week, as the tests are made. They are approximate where counts are skewed; with
    /// this level, fewer than one week in a hundred has one (`WatchSimulationTests`).
    static let weeklyLevel = 0.008

    /// What is remembered from one period to the next.
    struct Memory: Equatable, Codable {
        /// The changes that were told and are not over, by row.
        var changes: [String: Change] = [:]
        /// Periods left out of later comparisons, because a change was reported for them; by first day.
        var left: [String: [Int]] = [:]

        /// Whether a watch can have written it: days of the calendar, and figures that can be reckoned with.
        var isSane: Bool {
            let days = CivilDate(number: -719_162).number...CivilDate(number: 2_932_896).number
            return changes.values.allSatisfy { change in
                days.contains(change.since) && (0...1_000_000).contains(change.count)
                    && ([change.mean] + change.recent).allSatisfy { $0.magnitude <= 1e15 }
            } && left.values.allSatisfy { $0.allSatisfy(days.contains) }
        }
    }

    struct Change: Equatable, Codable {
        /// The first day of the first period, as a number.
        var since: Int
        /// How far the figures since then were from those of the same weekdays before: their mean and their number.
        var mean: Double
        var count: Int
        /// The last ones, the newest last.
        var recent: [Double]
    }

    /// What is told of a row.
    struct Finding: Equatable {
        enum Kind: Equatable {
            /// - Parameters:
            ///   - before: what the figure was.
            ///   - low, high: for a count, between which it was to be expected; for a rate, the interval of the
            ///     difference. At 95 %.
            ///   - pValue: adjusted for the number of rows.
            case changed(before: WatchedFigure, low: Double, high: Double, pValue: Double)
            /// The figure is as before the change again.
            case isOver(since: CivilDate)
            /// The change has lasted for eight weeks. From now on, figures are compared with these.
            case hasSettled(since: CivilDate)
        }

        var row: String
        var figure: WatchedFigure
        var kind: Kind
        /// What carries the change, if that is known.
        var carrier: ChangeCarrier?
    }

    /// What was found in a period.
    struct Judgement: Equatable {
        /// In the order of the rows' names.
        var findings: [Finding] = []
        /// Rows that are as before.
        var same = 0
        /// Rows of which there are too few to say: not even a fall to nothing would stand out.
        var tooFew = 0
        /// Rows of which a change was told, and that are still changed.
        var stillChanged = 0

        /// The change whose carrier is worth a report: that of everything, else the least likely one.
        var mainChange: Int? {
            func pValue(_ position: Int) -> Double {
                guard case .changed(_, _, _, let pValue) = findings[position].kind else { return 2 }
                return findings[position].row == ReportNames.total ? -1 : pValue
            }
            return findings.indices.min { pValue($0) < pValue($1) }.flatMap { pValue($0) < 2 ? $0 : nil }
        }
    }

    /// Of one period: the level of a week, divided by the number of periods in it.
    let level: Double
    /// How many of the last figures decide whether a change is over: one day says too little.
    private let overAfter: Int
    var memory: Memory

    /// - Parameter isDaily: whether the periods are days; else they are weeks.
    init(isDaily: Bool, memory: Memory = Memory()) {
        level = Self.weeklyLevel / (isDaily ? 7 : 1)
        overAfter = isDaily ? 3 : 1
        self.memory = memory
    }

    /// - Parameters:
    ///   - day: the first day of the period.
    ///   - current: its figures by row. A row that is not there has none.
    ///   - earlier: those of the weeks before, the last one first.
    mutating func judge(
        _ day: CivilDate,
        _ current: [String: WatchedFigure],
        after earlier: [[String: WatchedFigure]]
    ) -> Judgement {
        var judgement = Judgement()
        let rows = Set(current.keys).union(earlier.flatMap(\.keys)).sorted()
        let nothing = (current.values.first ?? earlier.lazy.compactMap(\.values.first).first)?.nothing ?? .count(0)
        // Weeks before the app's first events are no weeks.
        let weeks = earlier.lastIndex { $0.values.contains { !$0.isNothing } }.map { earlier[...$0] } ?? []
        let oldest = day.number - 7 * Self.weeks
        var compared: [(row: String, before: [WatchedFigure], result: Comparison)] = []
        for row in rows {
            let figure = current[row] ?? nothing
            let left = (memory.left[row] ?? []).filter { $0 >= oldest }
            memory.left[row] = left.isEmpty ? nil : left
            var before: [WatchedFigure] = []
            for (index, week) in weeks.enumerated() where !left.contains(day.number - 7 * (index + 1)) {
                before.append(week[row] ?? nothing)
            }
            // Nor are weeks before the row's first event.
            while before.last?.isNothing == true { before.removeLast() }
            before.removeAll { !$0.isKnown }
            if memory.changes[row] != nil {
                if let finding = follow(row, figure, before, day) {
                    judgement.findings.append(finding)
                } else {
                    judgement.stillChanged += 1
                }
            } else if before.count >= Self.fewestWeeks, let result = Comparison(figure, before) {
                compared.append((row, before, result))
            } else {
                judgement.tooFew += 1
            }
        }
        // All of them count for Holm, also those of which there are too few: which ones these are, chance has decided.
        let rowLevel = level / Double(max(1, compared.count))
        let adjusted = holmAdjusted(
            compared.map { $0.result.pValueOfNothing <= rowLevel ? $0.result.pValue : 1 }
        )
        for (one, pValue) in zip(compared, adjusted) {
            guard pValue <= level else {
                if one.result.pValueOfNothing <= rowLevel { judgement.same += 1 } else { judgement.tooFew += 1 }
                continue
            }
            let figure = current[one.row] ?? nothing
            let shift = Self.shift(figure, one.before)
            memory.changes[one.row] = Change(since: day.number, mean: shift, count: 1, recent: [shift])
            memory.left[one.row, default: []].append(day.number)
            let interval = one.result.interval()
            judgement.findings.append(
                Finding(
                    row: one.row,
                    figure: figure,
                    kind: .changed(
                        before: one.result.before,
                        low: interval.low,
                        high: interval.high,
                        pValue: pValue
                    )
                )
            )
        }
        judgement.findings.sort { precedes($0.row, $1.row) }
        return judgement
    }

    /// How far a figure is from those of the weeks before.
    private static func shift(_ figure: WatchedFigure, _ before: [WatchedFigure]) -> Double {
        figure.place - before.reduce(0) { $0 + $1.place } / Double(max(1, before.count))
    }

    /// Follows a change that was told. It is over if the last figures are nearer to those before than to those since.
    ///
    /// - Returns: what is to be told of it; nil if nothing is.
    private mutating func follow(
        _ row: String,
        _ figure: WatchedFigure,
        _ before: [WatchedFigure],
        _ day: CivilDate
    ) -> Finding? {
        guard var change = memory.changes[row] else { return nil }
        let since = CivilDate(number: change.since)
        if figure.isKnown, !before.isEmpty {
            let shift = Self.shift(figure, before)
            change.recent = (change.recent + [shift]).suffix(overAfter)
            let last = change.recent.reduce(0, +) / Double(change.recent.count)
            if change.recent.count == overAfter, abs(last) < abs(last - change.mean) {
                memory.changes[row] = nil
                return Finding(row: row, figure: figure, kind: .isOver(since: since))
            }
            change.mean += (shift - change.mean) / Double(change.count + 1)
            change.count += 1
        }
        if day.number - change.since >= 7 * Self.weeks {
            memory.changes[row] = nil
            memory.left[row] = nil
            return Finding(row: row, figure: figure, kind: .hasSettled(since: since))
        }
        memory.changes[row] = change
        memory.left[row, default: []].append(day.number)
        return nil
    }
}

/// A figure beside those of the weeks before.
private struct Comparison {
    var before: WatchedFigure
    var pValue: Double
    var pValueOfNothing: Double
    /// Made only for what is told, because it takes longer than the rest.
    var interval: () -> (low: Double, high: Double)

    /// Nil if nothing can be compared.
    init?(_ figure: WatchedFigure, _ earlier: [WatchedFigure]) {
        switch figure {
        case .count(let count):
            let counts = earlier.compactMap { if case .count(let count) = $0 { count } else { nil } }
            guard let change = CountChange(count, after: counts) else { return nil }
            before = .count(change.mean)
            interval = { change.expected }
            (pValue, pValueOfNothing) = (change.pValue, change.pValueOfNothing)
        case .sum(let sum, _):
            let sums: [(sum: Double, events: Double)] = earlier.compactMap {
                if case .sum(let sum, let events) = $0 { (sum, events) } else { nil }
            }
            let events = sums.reduce(0) { $0 + $1.events }
            guard let change = SumChange(sum, after: sums.map(\.sum), events: events) else { return nil }
            before = .sum(change.mean, events: events / Double(sums.count))
            interval = { change.expected }
            (pValue, pValueOfNothing) = (change.pValue, change.pValueOfNothing)
        case .share(let successes, let trials):
            let shares: [Proportion] = earlier.compactMap {
                guard case .share(let successes, let trials) = $0 else { return nil }
                return Proportion(successes: successes, trials: trials)
            }
            guard let change = ShareChange(Proportion(successes: successes, trials: trials), after: shares) else {
                return nil
            }
            before = .share(successes: change.earlier.successes, trials: change.earlier.trials)
            interval = { change.difference }
            (pValue, pValueOfNothing) = (change.pValue, change.pValueOfNothing)
        }
    }
}
