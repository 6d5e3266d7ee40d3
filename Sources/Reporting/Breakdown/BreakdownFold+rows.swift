import Timelines

/// The rows that were counted: which are shown, in which order, and their figures.
extension BreakdownFold {
    /// The positions of the groups that have rows, in order.
    private var shown: [Int] {
        let large = named.lazy.filter { counts(at: $0).people >= Int64(report.least) }
        guard let percent = report.percent else {
            return smallest(report.limit, of: large) { isShown($0, before: $1) }
        }
        // What has no name is no part of the whole, and always shown.
        let (known, nameless) = (large.filter(hasName), large.filter { !hasName($0) })
        let count = min(report.limit, (known.reduce(0) { count, _ in count + 1 } * percent + 99) / 100)
        return (smallest(count, of: known) { isShown($0, before: $1) } + nameless).sorted { isShown($0, before: $1) }
    }

    private func hasName(_ position: Int) -> Bool {
        position >= groups.rows.count || groups.keys[position].number != nil || groups.keys[position].second != nil
    }

    /// How many groups there are, and names that only cost something.
    private var count: Int { groups.rows.count + unseen.count }

    private func counts(at position: Int) -> TouchCounts {
        position < groups.rows.count ? groups[position].touches : TouchCounts()
    }

    /// Looks up what each group costs, and which names cost something and have no group.
    private mutating func readCosts() {
        guard var rest = costs else { return }
        costOfPosition = groups.keys.indices.map { position in
            rest.removeValue(forKey: Array((keyCells(at: position)[0].plainText ?? "").utf8)) ?? 0
        }
        for (name, cost) in rest.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            unseen.append(name)
            costOfPosition.append(cost)
        }
    }

    /// The same with ranks of the groups whose people are logged: the first time through the log.
    private func ranked() throws(TimelineError) -> BreakdownFold {
        guard let log else { return self }
        var groups = GroupTable(empty: Group(), at: log.positions)
        let figure = report.sortFigure.flatMap { $0.isOfCredits ? $0 : nil }
        var ranks = [Int128](repeating: 0, count: figure == nil ? 0 : groups.rows.count)
        /// Who counted last in each group, if the figure counts people.
        var counted = figure?.isOfPeople == true ? [UInt32](repeating: .max, count: groups.rows.count) : []
        try log.forEach { person, group, entry in
            switch entry {
            case .touch(let isAuthenticated): groups[group].touches.add(isAuthenticated: isAuthenticated, of: person)
            case .credit(let event, let units):
                guard let figure else { return }
                var credits = Credits()
                credits.add(event, units: units, of: person, isOfRow: groups[group].touches.hasTouch(of: person))
                let own = credits[figure]
                if own != 0, !counted.isEmpty, let person {
                    guard counted[group] != UInt32(person) else { return }
                    counted[group] = UInt32(person)
                }
                ranks[group] += own
            }
        }
        var fold = self
        fold.groups = groups
        fold.ranks = ranks
        return fold
    }

    func peopleRows() throws -> [PeopleRow] { try ranked().rowsOfPeople() }

    private func rowsOfPeople() -> [PeopleRow] {
        let shown = shown
        var rows = shown.map { PeopleRow(names: report.listed(keyCells(at: $0)), groups: [.named(groups.keys[$0])]) }
        if shown.count < count {
            rows.append(.others(report.listed(report.shown(ReportNames.others))))
        }
        return rows + [
            PeopleRow(names: report.listed(report.shown(ReportNames.direct)), groups: [.direct]),
            PeopleRow(names: report.listed(report.shown(ReportNames.total)), groups: [.total], isTotal: true),
        ]
    }

    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        var fold = try ranked()
        fold.readCosts()
        return try fold.rows(beside: others)
    }

    private func rows(beside others: [[ReportCell]]?) throws(TimelineError) -> [[ReportCell]] {
        guard let others else { return try table(of: shown) }
        func name(_ cells: some Sequence<ReportCell>) -> String {
            cells.map { $0.plainText ?? "" }.joined(separator: "\0")
        }
        let names = others.lazy.map { ReportCell.text(name($0.prefix(report.keyColumnCount))) }
        let special = [ReportNames.others, ReportNames.direct, ReportNames.total].map { name(report.shown($0)) }
        // A share of the rows of one range leaves no room for others.
        let groups = ShownBeside(names, besides: special, report.percent == nil ? report.limit : 0)
            .groups(of: named, largest: shown) { name(keyCells(at: $0)) }
        return try table(of: groups.sorted { isShown($0, before: $1) })
    }

    /// The groups with rows of their own. The values of a declared property that have none are in `(others)`.
    private var named: some Sequence<Int> {
        (0..<count).lazy.filter {
            report.keys.count > 1 || $0 >= groups.rows.count || !first.isOthers(groups.keys[$0].number)
        }
    }

    private func keyCells(at position: Int) -> [ReportCell] {
        guard position < groups.rows.count else {
            return report.shown(String(decoding: unseen[position - groups.rows.count], as: UTF8.self))
        }
        let key = groups.keys[position]
        return report.shown([first.cells(of: key.number)] + (second.map { [$0.cells(of: key.second)] } ?? []))
    }

    private func table(of shown: [Int]) throws(TimelineError) -> [[ReportCell]] {
        let (rows, others) = try rows(of: shown)
        var cells = zip(shown, rows).map { position, row in
            // Only keys that have no days have costs.
            keyCells(at: position) + self.cells(of: row)
                + (position < groups.rows.count ? days(of: groups.keys[position]) : [])
        }
        if shown.count < count {
            cells.append(report.shown(ReportNames.others) + self.cells(of: others) + noDays)
        }
        cells.append(report.shown(ReportNames.direct) + self.cells(of: direct) + noDays)
        cells.append(report.shown(ReportNames.total) + self.cells(of: whole) + days(of: nil))
        return cells
    }

    /// The cell of ``BreakdownReport/tellsDays``, if the rows have it.
    ///
    /// - Parameter key: nil for all groups together.
    private func days(of key: GroupKey?) -> [ReportCell] {
        clock.map { [.decimal(millionths: days(of: key, $0))] } ?? []
    }

    /// In millionths.
    private func days(of key: GroupKey?, _ clock: ClockCounts) -> Int128 {
        func value(of wanted: BreakdownKey) -> Int? {
            guard let key, let position = report.keys.firstIndex(of: wanted) else { return nil }
            return position == 0 ? key.number : key.second
        }
        return clock.millionths(
            weekday: value(of: .weekday),
            hour: value(of: .hour),
            countsHours: report.keys.contains(.hour)
        )
    }

    /// In a row of groups that are not shown, or of no group.
    private var noDays: [ReportCell] { clock == nil ? [] : [.empty] }

    private func cells(of row: Row) -> [ReportCell] {
        let sums = row.credits.sums
        let rates: [BreakdownReport.Figure] = [.installRate, .conversionRate, .conversionsPerPerson, .valuePerPerson]
        return row.touches.cells
            + [
                sums.installs.unitsCell, sums.conversions.unitsCell, .integer(row.credits.payers.count),
                sums.conversions.valueCell,
                .fraction(amount(report.sharedFigure, of: row), of: amount(report.sharedFigure, of: whole)),
            ]
            + (report.tellsRates
                ? [.integer(row.credits.converters.count)] + rates.map { rate($0, of: row) } : [])
            + (report.tellsTouchValue ? [rate(.valuePerTouch, of: row)] : [])
    }

    /// The row `total`.
    private var whole: Row {
        var whole = total
        whole.cost = costOfPosition.reduce(0, +)
        return whole
    }

    /// A count of a row, or a sum in its smallest parts; 0 for a figure that nobody adds up.
    private func amount(_ figure: BreakdownReport.Figure, of row: Row) -> Int128 {
        switch figure {
        case .touches, .share: Int128(row.touches.touches)
        case .people: Int128(row.touches.people)
        case .authenticatedTouches: Int128(row.touches.authenticated)
        case .installs: row.credits.sums.installs.units
        case .conversions: row.credits.sums.conversions.units
        case .payingPeople: Int128(row.credits.payers.count)
        case .convertingPeople: Int128(row.credits.converters.count)
        case .value: row.credits.sums.conversions.valueMillionths
        case .cost: row.cost
        case .installRate, .conversionRate, .conversionsPerPerson, .valuePerPerson, .valuePerTouch, .days,
            .costPerInstall, .costPerConversion, .costReturn:
            0
        }
    }

    /// One of the figures of each person, or of costs.
    private func rate(_ figure: BreakdownReport.Figure, of row: Row) -> ReportCell {
        let people = Int128(row.touches.people)
        return switch figure {
        case .installRate: .fraction(row.credits.installers.count, of: people)
        case .conversionRate: .fraction(row.credits.converters.count, of: people)
        case .conversionsPerPerson:
            .fraction(row.credits.sums.conversions.units, of: people * Int128(CreditUnits.one))
        // Of counts as they are shown, as beside the rows (`CostTable`).
        case .costPerInstall: .fraction(row.cost, of: row.credits.sums.installs.millionths)
        case .costPerConversion: .fraction(row.cost, of: row.credits.sums.conversions.millionths)
        case .costReturn: .fraction(row.credits.sums.conversions.valueMillionths, of: row.cost)
        case .valuePerTouch:
            .fraction(row.credits.sums.conversions.valueMillionths, of: Int128(row.touches.touches) * 1_000_000)
        default: .fraction(row.credits.sums.conversions.valueMillionths, of: people * 1_000_000)
        }
    }

    private func row(at position: Int) -> Row {
        let cost = costOfPosition.isEmpty ? 0 : costOfPosition[position]
        guard position < groups.rows.count else { return Row(cost: cost) }
        var row = Row(touches: groups[position].touches, credits: credits(of: groups[position]), cost: cost)
        if let figure = report.sortFigure, !ranks.isEmpty { row.credits[figure] = ranks[position] }
        return row
    }

    /// The rows of some groups, and that of all others. Goes through the log a second time, if there is one.
    private func rows(of shown: [Int]) throws(TimelineError) -> (named: [Row], others: Row) {
        guard let log else {
            return (shown.map { row(at: $0) }, shown.count < count ? others(than: shown) : Row())
        }
        var rows = Array(repeating: Row(), count: shown.count + 1)
        var places = Array(repeating: Int32(shown.count), count: groups.rows.count)
        for (row, position) in shown.enumerated() where position < groups.rows.count { places[position] = Int32(row) }
        /// Whose touch was the last in each group: who had one in another group of the row is not of the people who
        /// converted in this one.
        var touching = [UInt32](repeating: .max, count: groups.rows.count)
        try log.forEach { person, group, entry in
            let row = Int(places[group])
            switch entry {
            case .touch(let isAuthenticated):
                rows[row].touches.add(isAuthenticated: isAuthenticated, of: person)
                if let person { touching[group] = UInt32(person) }
            case .credit(let event, let units):
                let isOfRow = person.map { touching[group] == UInt32($0) } ?? false
                rows[row].credits.add(event, units: units, of: person, isOfRow: isOfRow)
            }
        }
        for (row, position) in shown.enumerated() { rows[row].cost = self.row(at: position).cost }
        rows[shown.count].cost = whole.cost - shown.reduce(0) { $0 + row(at: $1).cost }
        return (Array(rows.dropLast()), rows[shown.count])
    }

    private func credits(of group: Group) -> Credits {
        group.credits < 0 ? Credits() : credits[Int(group.credits)]
    }

    /// All groups that are not shown, as one. A person in several of them counts once.
    private func others(than shown: [Int]) -> Row {
        let areOthers = groups.areOthers(than: shown.filter { $0 < groups.rows.count })
        var isOther = [Bool](repeating: false, count: credits.count)
        var others = Row()
        for (position, group) in groups.rows.enumerated() where areOthers[position] {
            others.touches += group.touches
            others.credits += credits(of: group)
            if group.credits >= 0 { isOther[Int(group.credits)] = true }
        }
        others.touches.replacePeople(with: touching.count(of: areOthers))
        others.credits.installers.count = installing.count(of: isOther)
        others.credits.converters.count = converting.count(of: isOther)
        others.credits.payers.count = paying.count(of: isOther)
        others.cost = whole.cost - shown.reduce(0) { $0 + row(at: $1).cost }
        return others
    }

    /// Whether a group is shown before another one. Every pair of groups has an order, because no two are equal.
    private func isShown(_ one: Int, before other: Int) -> Bool {
        guard max(one, other) < groups.rows.count else {
            if let figure = report.sortFigure {
                let figures = (sortValue(at: one, figure), sortValue(at: other, figure))
                if figures.0 != figures.1 { return (figures.0 > figures.1) != report.isReversed }
            }
            return one < other
        }
        let keys = (groups.keys[one], groups.keys[other])
        if report.sortKey == 1, keys.0.second != keys.1.second {
            return (second?.precedes(keys.0.second, keys.1.second) ?? false) != report.isReversed
        }
        if report.sortKey == 0, keys.0.number != keys.1.number {
            return first.precedes(keys.0.number, keys.1.number) != report.isReversed
        }
        if let figure = report.sortFigure {
            let figures = (sortValue(at: one, figure), sortValue(at: other, figure))
            if figures.0 != figures.1 { return (figures.0 > figures.1) != report.isReversed }
        }
        let touches = (groups[one].touches.touches, groups[other].touches.touches)
        if touches.0 != touches.1 { return touches.0 > touches.1 }
        if keys.0.number != keys.1.number { return first.precedes(keys.0.number, keys.1.number) }
        return second?.precedes(keys.0.second, keys.1.second) ?? false
    }

    /// As shown, so that hidden digits never decide the order.
    private func sortValue(at position: Int, _ figure: BreakdownReport.Figure) -> Int128 {
        let row = row(at: position)
        switch figure {
        case .touches, .share, .people, .authenticatedTouches, .payingPeople, .convertingPeople, .value, .cost:
            return amount(figure, of: row)
        case .installs: return row.credits.sums.installs.millionths
        case .conversions: return row.credits.sums.conversions.millionths
        case .installRate, .conversionRate, .conversionsPerPerson, .valuePerPerson, .valuePerTouch, .costPerInstall,
            .costPerConversion, .costReturn:
            // Without people there is no rate, and nobody told what costs nothing: nothing comes after these.
            guard case .fraction(let millionths) = rate(figure, of: row), !figure.isOfCosts || row.cost != 0 else {
                return report.isReversed ? .max : -1
            }
            return Int128(millionths)
        case .days: return clock.map { days(of: groups.keys[position], $0) } ?? 0
        }
    }
}

/// The first elements of a sequence in an order, sorted. Takes less time than sorting all if few are wanted.
func smallest<Element>(
    _ count: Int,
    of elements: some Sequence<Element>,
    by areInIncreasingOrder: (Element, Element) -> Bool
) -> [Element] {
    var smallest: [Element] = []
    for element in elements {
        if smallest.count == count {
            guard let last = smallest.last, areInIncreasingOrder(element, last) else { continue }
            smallest.removeLast()
        }
        let position = smallest.firstPosition { areInIncreasingOrder(element, $0) }
        smallest.insert(element, at: position)
    }
    return smallest
}
