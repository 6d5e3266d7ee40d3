import Time

/// Joins the rows of a report over two ranges by their names.
struct RowMatching {
    /// A row of one of the ranges.
    private struct Entry {
        /// The part of the table that the row belongs to, and the place of the part's period among those of the range.
        var part: [[UInt8]]
        var place: Int?
        /// What the rows of both ranges have in common.
        var key: Key
        /// The order of rows that stand for no name, which come last.
        var rank: Int
        var cells: [ReportCell]
    }

    private struct Key: Hashable {
        var names: [[UInt8]]
        var place: Int?
        /// How many rows of the same names follow: a ref may be called `total`, like the last row.
        var following: Int
    }

    private static let ranks = [
        ReportNames.others: 1, ReportNames.none: 2, ReportNames.direct: 3, ReportNames.total: 4,
    ]

    private let columns: [ReportColumn]
    /// The column with the first days of calendar periods; nil if there is none.
    private let calendar: RowPeriods?
    private let range: ReportRange
    private let previous: ReportRange
    private let zone: ReportTimeZone

    /// - Parameter periods: where the rows say which period they are about.
    init(
        _ columns: [ReportColumn],
        _ periods: RowPeriods?,
        of range: ReportRange,
        beside previous: ReportRange,
        in zone: ReportTimeZone
    ) {
        self.columns = columns
        calendar = periods.flatMap { columns[$0.column].isCalendar ? $0 : nil }
        self.range = range
        self.previous = previous
        self.zone = zone
    }

    /// The columns that the preceding range adds to others.
    static func previousColumns(of columns: [ReportColumn]) -> [ReportColumn] {
        columns.filter { !$0.isKey || $0.isCalendar }.flatMap { column in
            let meaning =
                column.isCalendar
                ? "The first day of the period of the preceding range that the row is compared with."
                : "`\(column.name)` of the preceding range."
            var previous = column
            previous.name = "previous_\(column.name)"
            previous.meaning = meaning
            let condition = (column.condition.map { "\($0) and " } ?? "with ") + "`--compare-previous`"
            return ([previous] + ChangeColumns.columns(of: column)).map { $0.only(condition) }
        }
    }

    /// - Returns: the rows of the range, each with the figures of the preceding range, and the rows that only the
    ///   preceding range has: in their part of the table after all named rows, in their own order.
    func joined(_ rows: [[ReportCell]], _ earlier: [[ReportCell]]) -> [[ReportCell]] {
        let (rows, earlier) = (entries(of: rows, in: range), entries(of: earlier, in: previous))
        var figures: [Key: [ReportCell]] = [:]
        for entry in earlier { figures[entry.key] = entry.cells }
        let known = Set(rows.map(\.key))
        var merged: [(entry: Entry, earlier: [ReportCell]?, isOnlyEarlier: Bool)] =
            rows.map { ($0, figures[$0.key], false) }
        for entry in earlier where !known.contains(entry.key) {
            merged.insert((entry, entry.cells, true), at: position(of: entry, among: merged.map(\.entry)))
        }
        return merged.map { entry, earlier, isOnlyEarlier in
            let own = isOnlyEarlier ? cellsOfNothing(like: entry) : entry.cells
            return own + previousCells(of: entry, own, earlier)
        }
    }

    /// Where a row that only the preceding range has comes.
    private func position(of entry: Entry, among others: [Entry]) -> Int {
        let part = others.indices.filter { others[$0].part == entry.part && others[$0].place == entry.place }
        if let first = part.first { return part.last { others[$0].rank <= entry.rank }.map { $0 + 1 } ?? first }
        guard let place = entry.place else {
            let rank = Self.rank(of: entry.part)
            return others.firstIndex { Self.rank(of: $0.part) > rank } ?? others.count
        }
        return others.firstIndex { ($0.place ?? 0) > place } ?? others.count
    }

    /// The order of parts that stand for no name.
    private static func rank(of part: [[UInt8]]) -> Int {
        part.first.flatMap { ranks[String(decoding: $0, as: UTF8.self)] } ?? 0
    }

    private func entries(of rows: [[ReportCell]], in range: ReportRange) -> [Entry] {
        let keys = columns.indices.filter { columns[$0].isKey && $0 != calendar?.column }
        let parts = keys.filter { columns[$0].isPart }
        var following: [Key: Int] = [:]
        var entries: [Entry] = []
        for cells in rows.reversed() {
            var key = Key(names: keys.map { bytes(of: cells[$0]) }, place: place(of: cells, in: range), following: 0)
            following[key, default: -1] += 1
            let isLast = following[key] == 0
            key.following = following[key] ?? 0
            let name = keys.first.flatMap { cells[$0].plainText } ?? ""
            entries.append(
                Entry(
                    part: parts.map { bytes(of: cells[$0]) },
                    place: key.place,
                    key: key,
                    rank: isLast ? Self.ranks[name] ?? 0 : 0,
                    cells: cells
                )
            )
        }
        return entries.reversed()
    }

    /// Names are compared byte by byte, because two spellings of é are equal as strings.
    private func bytes(of cell: ReportCell) -> [UInt8] { Array((cell.plainText ?? "").utf8) }

    private func place(of cells: [ReportCell], in range: ReportRange) -> Int? {
        guard let calendar, let day = cells[calendar.column].plainText.flatMap({ CivilDate($0) }) else { return nil }
        return calendar.length.number(of: day) - firstPeriod(of: range, calendar)
    }

    /// The first day of the period at a place; empty if the range ends before it.
    private func day(at place: Int?, in range: ReportRange) -> ReportCell {
        guard let calendar, let place else { return .empty }
        let day = calendar.length.firstDay(ofPeriod: firstPeriod(of: range, calendar) + place)
        return zone.start(of: day) < range.to ? .text(day.description) : .empty
    }

    private func firstPeriod(of range: ReportRange, _ calendar: RowPeriods) -> Int {
        calendar.length.number(of: zone.day(of: range.from))
    }

    /// The cells of a row of which nothing was counted in the range.
    private func cellsOfNothing(like entry: Entry) -> [ReportCell] {
        columns.indices.map { position in
            if position == calendar?.column { return day(at: entry.place, in: range) }
            return columns[position].isKey ? entry.cells[position] : Self.nothing(in: columns[position])
        }
    }

    private func previousCells(of entry: Entry, _ own: [ReportCell], _ earlier: [ReportCell]?) -> [ReportCell] {
        let days = calendar == nil ? [] : [day(at: entry.place, in: previous)]
        let figures = columns.indices.filter { !columns[$0].isKey }
        return days
            + figures.flatMap { position in
                let figure = earlier?[position] ?? Self.nothing(in: columns[position])
                return [figure] + ChangeColumns.cells(of: columns[position], own[position], since: figure)
            }
    }

    /// Nothing was counted: 0, or empty for what is computed from counts.
    private static func nothing(in column: ReportColumn) -> ReportCell {
        switch column.kind {
        case .integer: .integer(0)
        case .decimal
        where !["seconds", BreakdownReport.daysUnit, GenerationsReport.medianUnit].contains(column.unit):
            .decimal(millionths: 0)
        default: .empty
        }
    }
}
