import Foundation
import Time

/// docs/reports.md, *Beside the preceding range*.
extension Oracle {
    /// "This one, moved back by as few whole days as needed for it to end before this one starts."
    ///
    /// - Parameter asked: the whole range, if `span` is a part of it.
    func preceding(_ span: Span, movedLike asked: Span? = nil) -> Span {
        let asked = asked ?? span
        let days = (1...10_000).first { earlier(asked.to, by: $0) <= asked.from } ?? 0
        let from = earlier(span.from, by: days)
        return Span(from: from, to: max(from, earlier(span.to, by: days)))
    }

    /// "The same time of the clock." Looks at every offset that the zone has around the earlier day.
    private func earlier(_ time: Timestamp, by days: Int) -> Timestamp {
        let target = day(of: time) - days
        if day(of: time.advanced(by: .microseconds(-1))) < day(of: time) { return startOfDay(target) }
        let local = time.microseconds + offset(at: time.microseconds) - Int64(days) * 86_400_000_000
        let offsets = Set((-36...36).map { offset(at: local + $0 * 3_600_000_000) })
        let shown = offsets.map { local - $0 }.filter { $0 + offset(at: $0) == local }
        return Timestamp(microseconds: shown.min() ?? local - offset(at: local - 36 * 3_600_000_000))
    }

    func startOfDay(_ day: Int) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let noon = Int64(day) * 86_400 + 43_200
        let date = Date(timeIntervalSince1970: Double(noon - offset(at: noon * 1_000_000) / 1_000_000))
        return Timestamp(microseconds: Int64(calendar.startOfDay(for: date).timeIntervalSince1970) * 1_000_000)
    }

    private func offset(at microseconds: Int64) -> Int64 {
        let second = Double(microseconds) / 1_000_000
        return Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: second.rounded(.down)))) * 1_000_000
    }

    /// "Days, weeks and months are matched by their place: the first of this range with the first of the preceding
    /// one." Groups by them have the date of this range.
    func dated(_ name: Name, by grouping: Grouping, from span: Span, like own: Span) -> Name {
        guard let period = Period(rawValue: grouping.rawValue), CivilDate(name.text) != nil else { return name }
        let place = place(ofDate: name.text, since: span.from, period)
        return Name(firstDay(of: number(of: own.from, period) + place, period))
    }

    /// How a table names its rows.
    struct RowNames {
        /// Positions of the columns that name a row, without the calendar's.
        var keys: [Int]
        /// The column with first days of periods, and their length.
        var calendar: (column: Int, period: Period)?
        /// The column whose values divide the table into parts.
        var part: Int?
        /// The figures that count or add up. Where nothing was counted they are 0; the others are empty.
        var counts: [Int]
        /// Other figures without trailing zeros.
        var trimmed: [Int] = []
        /// The figures that are no numbers.
        var texts: [Int] = []
    }

    /// "`change_NAME`: NAME − `previous_NAME`. `change_share_NAME`: `change_NAME` ÷ `previous_NAME`. Empty where one of
    /// them is empty, or unless that is above 0." Of the figures as they are written.
    private func change(_ now: String, _ then: String, isTrimmed: Bool) -> [String] {
        guard let now = Fraction(text: now), let then = Fraction(text: then) else { return ["", ""] }
        let change = now - then
        let share = then > .zero ? Cell.halfAway(change / then) : Cell.undefined
        return [isTrimmed ? Cell.amount(change) : Cell.difference(change), share]
    }

    /// The rows of a range with the figures of the preceding range beside them.
    func rows(_ rows: [[String]], of span: Span, beside earlier: [[String]], of previous: Span, _ names: RowNames)
        -> [[String]]
    {
        guard let width = (rows.first ?? earlier.first)?.count else { return [] }
        let figures = (0..<width).filter { !names.keys.contains($0) && $0 != names.calendar?.column }
        let nothing = (0..<width).map { names.counts.contains($0) ? "0" : "" }

        func place(_ row: [String], _ span: Span) -> Int? {
            names.calendar.map { calendar in
                self.place(ofDate: row[calendar.column], since: span.from, calendar.period)
            }
        }
        func date(_ place: Int?, _ span: Span) -> [String] {
            guard let calendar = names.calendar, let place else { return [] }
            let number = number(of: span.from, calendar.period) + place
            let isShown = number <= self.number(of: span.to.advanced(by: .microseconds(-1)), calendar.period)
            return [isShown ? firstDay(of: number, calendar.period) : ""]
        }
        func beside(_ own: [String], _ earlier: [String]) -> [String] {
            figures.flatMap { figure in
                [earlier[figure]]
                    + (names.texts.contains(figure)
                        ? []
                        : change(
                            own[figure],
                            earlier[figure],
                            isTrimmed: (names.counts + names.trimmed).contains(figure)
                        ))
            }
        }
        /// Rows of one name in one part are told apart by how many of them follow.
        func keyed(_ rows: [[String]], _ span: Span) -> [(key: String, row: [String], place: Int?)] {
            var following: [String: Int] = [:]
            return rows.reversed().map { row in
                // Swift's `==` takes some texts of different bytes for the same.
                let names = names.keys.map { Array(row[$0].utf8).description }
                let place = place(row, span)
                let key = "\(names) \(place ?? -1)"
                let count = following[key, default: 0]
                following[key] = count + 1
                return ("\(key) \(count)", row, place)
            }
            .reversed()
        }
        let (now, then) = (keyed(rows, span), keyed(earlier, previous))
        var told: [(part: String, place: Int?, rank: Int, cells: [String])] = []
        func rank(_ entry: (key: String, row: [String], place: Int?)) -> Int {
            entry.key.hasSuffix(" 0")
                ? (["(others)", "(none)", "direct", "total"].firstIndex(of: entry.row[names.keys[0]]) ?? -1) + 1 : 0
        }
        func part(_ row: [String]) -> String { names.part.map { row[$0] } ?? "" }
        for entry in now {
            let match = then.first { $0.key == entry.key }?.row ?? nothing
            told.append(
                (
                    part(entry.row), entry.place, rank(entry),
                    entry.row + date(entry.place, previous) + beside(entry.row, match)
                )
            )
        }
        for entry in then where !now.contains(where: { $0.key == entry.key }) {
            var own = (0..<width).map { figures.contains($0) ? nothing[$0] : entry.row[$0] }
            if let calendar = names.calendar { own[calendar.column] = date(entry.place, span)[0] }
            let cells = own + date(entry.place, previous) + beside(own, entry.row)
            // "In their part of the table after all named rows, in their own order."
            func isSamePart(_ other: (part: String, place: Int?, rank: Int, cells: [String])) -> Bool {
                other.place == entry.place && (names.part == nil || other.part == part(entry.row))
            }
            let before = told.lastIndex { isSamePart($0) && $0.rank <= rank(entry) }
            let first = told.firstIndex(where: isSamePart)
            let earlier = told.lastIndex { ($0.place ?? 0) < (entry.place ?? 0) }
            // A part that only the preceding range has comes after the other named ones, too.
            func isLater(_ other: String, _ part: String) -> Bool {
                let ranks = [other, part].map { ["(others)", "(none)", "direct", "total"].firstIndex(of: $0) ?? -1 }
                return ranks[0] > ranks[1]
            }
            let later = names.part == nil ? nil : told.firstIndex { isLater($0.part, part(entry.row)) }
            let index = before.map { $0 + 1 } ?? first ?? later ?? earlier.map { $0 + 1 } ?? 0
            told.insert((part(entry.row), entry.place, rank(entry), cells), at: index)
        }
        return told.map(\.cells)
    }
}

extension Oracle.Span {
    func before(_ end: Timestamp) -> Self { Self(from: from, to: max(from, min(to, end))) }
}
