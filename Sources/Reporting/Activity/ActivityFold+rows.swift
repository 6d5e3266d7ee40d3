import Time
import Timelines

/// The rows of each period, and in lists of people.
extension ActivityFold {
    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        // The group stands after the period.
        try rows(showing: groups.keys(beside: others?.lazy.map { $0[1] }, report.limit, finder)).map { row in
            row.people.names + cells(of: row.counts, row.period)
        }
    }

    func peopleRows() throws -> [PeopleRow] {
        try rows(showing: groups.keys(beside: nil as [ReportCell]?, report.limit, finder)).map(\.people)
    }

    private struct CountedRow {
        var period: Int
        var counts: ActivityCounts.Sums
        var people: PeopleRow
    }

    private func rows(showing keys: [GroupKey]) throws -> [CountedRow] {
        let (counted, rest) = try groups.counts(of: keys)
        let named = counted.map { key, counts in (key, counts.summed) }
        let others = rest?.summed
        let (direct, total) = (direct.summed, total.summed)
        let fixed = Set(finder.fixedKeys)
        return (0..<periods.count).flatMap { period in
            func row(_ name: String, _ counts: ActivityCounts.Sums, _ group: PeopleGroup, isTotal: Bool = false)
                -> CountedRow
            {
                let names = periods.cells(at: period) + [.text(name)]
                return CountedRow(
                    period: period,
                    counts: counts,
                    people: PeopleRow(names: names, groups: [group], isTotal: isTotal)
                )
            }
            let present = named.filter { fixed.contains($0.0) || !$0.1.isEmpty(at: period) }
                .map { key, counts in (key, (key: key, counts: counts)) }
            var rows = finder.ordered(present) { $0.counts.active(in: period) }
                .map { row($0.name, $0.counts.counts, .named($0.counts.key, in: period)) }
            if let others, !others.isEmpty(at: period) {
                let names = periods.cells(at: period) + [.text(ReportNames.others)]
                rows.append(CountedRow(period: period, counts: others, people: .others(names, in: [period])))
            }
            if report.grouping != .none, !report.grouping.isOfPerson, report.takesFirst {
                rows.append(row(ReportNames.direct, direct, .direct(in: period)))
            }
            return rows + [row(ReportNames.total, total, .total(in: period), isTotal: true)]
        }
    }

    private func cells(of counts: ActivityCounts.Sums, _ position: Int) -> [ReportCell] {
        let isKnown = [Count.active7Days: hasDays(7, until: position), .active30Days: hasDays(30, until: position)]
        let active = counts.active(in: position)
        return [.integer(active)] + Count.allCases.map { isKnown[$0] ?? true ? .integer(counts[position, $0]) : .empty }
            + [
                report.period.length == .day && hasDays(30, until: position)
                    ? .fraction(active, of: counts[position, .active30Days]) : .empty
            ]
    }

    /// Whether the app has as many days up to the end of a period: a young app would seem to lose people otherwise.
    private func hasDays(_ count: Int, until position: Int) -> Bool {
        firstDayOfApp.map { $0 <= lastDays[position] - count + 1 } ?? false
    }
}
