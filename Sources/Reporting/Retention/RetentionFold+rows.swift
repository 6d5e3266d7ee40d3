import Time
import Timelines

/// The rows of the cohorts that were counted.
extension RetentionFold {
    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        try rows(showing: groups.keys(beside: others?.lazy.map { $0[1] }, report.limit, finder))
    }

    /// The positions of the groups that have rows of their own.
    private var shown: [Int] { groups.shown(report.limit, finder) }

    private func rows(showing keys: [GroupKey]) throws -> [[ReportCell]] {
        let cohorts = total.numbers
        try answer.check(parts: (keys.count + 1) * cohorts.count)
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        var rows: [[ReportCell]] = []
        /// - Parameter counts: of a group, for each period that is shown.
        func add(_ name: String, _ counts: (Cohorts) -> [Counts]) throws {
            // The first has the most people, and all groups.
            let present = named.map { ($0.0, counts($0.1)) }
                .filter { fixed.contains($0.0) || ($0.1.first?.people ?? 0) > 0 }
            var groups = finder.ordered(present) { $0.first?.people ?? 0 }
            if let others = others.map(counts), (others.first?.people ?? 0) > 0 {
                groups.append((ReportNames.others, others))
            }
            if report.hasDirect { groups.append((ReportNames.direct, counts(direct))) }
            groups.append((ReportNames.total, counts(total)))
            try answer.check(rows: rows.count + groups.count * report.shown.count)
            for (group, counts) in groups {
                rows += zip(report.shown, counts).map { cells(of: $1, $0, [.text(name), .text(group)]) }
            }
        }
        if report.isPooled {
            // For each period all cohorts together for which it is over; but the values are of one population, those
            // for whom the last is over: of other people in each period, a cumulated value could fall.
            try add(ReportNames.total) { group in
                let whole = group.pooled { showsValues(of: $0) }
                return report.shown.map { period in
                    var counts = group.pooled { $0 + period < current }
                    (counts.values, counts.valued) = (whole.values, whole.people)
                    return counts
                }
            }
        } else {
            for cohort in cohorts {
                try add(report.period.firstDay(ofPeriod: cohort).description) { group in
                    report.shown.map { _ in group[cohort] }
                }
            }
        }
        return rows
    }

    private func cells(of counts: Counts, _ period: Int, _ names: [ReportCell]) -> [ReportCell] {
        let cumulative = counts.values[...period].reduce(0, +)
        let valued = counts.valued ?? counts.people
        // Nobody has had all periods yet, so nothing is known of their values.
        let isUnknown = counts.valued == 0
        return names + [
            .integer(Int64(period)), .integer(counts.people),
            .integer(counts.retained[period - 1]), .fraction(counts.retained[period - 1], of: counts.people),
            isUnknown ? .empty : .decimal(millionths: counts.values[period]),
            isUnknown ? .empty : .decimal(millionths: cumulative),
            .fraction(cumulative, of: Int128(valued) * 1_000_000),
        ]
    }

    func peopleRows() throws -> [PeopleRow] {
        let keys = shown.map { groups.keys[$0] }
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        /// - Parameter cohorts: those that the rows are about.
        func rows(_ name: String, _ cohorts: [Int]) -> [PeopleRow] {
            func row(_ group: String, isTotal: Bool = false, _ make: (Int) -> PeopleGroup) -> PeopleRow {
                PeopleRow(names: [.text(name), .text(group)], groups: cohorts.map(make), isTotal: isTotal)
            }
            func people(_ counts: Cohorts) -> Int64 { cohorts.reduce(0) { $0 + counts[$1].people } }
            let present = named.map { ($0.0, (key: $0.0, people: people($0.1))) }
                .filter { fixed.contains($0.0) || $0.1.people > 0 }
            return finder.ordered(present) { $0.people }.map { group in
                row(group.name) { .named(group.counts.key, in: $0) }
            }
                + (others.map(people) ?? 0 > 0 ? [.others([.text(name), .text(ReportNames.others)], in: cohorts)] : [])
                + (report.hasDirect ? [row(ReportNames.direct) { .direct(in: $0) }] : [])
                + [row(ReportNames.total, isTotal: true) { .total(in: $0) }]
        }
        let cohorts = total.numbers
        if report.isPooled { return rows(ReportNames.total, cohorts.filter { $0 + report.periods < current }) }
        return cohorts.flatMap { rows(report.period.firstDay(ofPeriod: $0).description, [$0]) }
    }
}
