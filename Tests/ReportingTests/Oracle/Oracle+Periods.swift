import Events
import Foundation
import Time

extension Oracle {
    enum PeriodLength: String, CaseIterable {
        case day, week, month

        var component: Calendar.Component {
            switch self {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            }
        }
    }

    /// docs/reports.md, *Periods*: "Its rows are those of the same report over that part of the range", with the first
    /// day before them. Foundation's calendar decides which periods there are.
    func byPeriod(_ length: PeriodLength?, of span: Span, _ rows: (Span) -> [[String]]) -> [[String]] {
        guard let length else { return rows(span) }
        return periods(of: span, length).flatMap { period in
            rows(period.span).map { [period.name] + $0 }
        }
    }

    /// Where the rows of a report say which period they are about.
    struct PeriodColumn {
        var column = 0
        var component: Calendar.Component
        /// The day is the last part of the text, as in `a / 2026-01-05`.
        var isLast = false
        /// For the periods of the preceding range, which have the dates of another: that one, and itself.
        var dated: (like: Span, of: Span)?
        /// The column that says how many periods later the row's figures were counted.
        var laterBy: Int?
        /// The first column that a period has nothing in before it has begun.
        var firstFigure: Int

        var grouping: Grouping? {
            PeriodLength.allCases.first { $0.component == component }.flatMap { Grouping(rawValue: $0.rawValue) }
        }
    }

    /// "`complete` is `true` if the row's period lies whole in the range, and is over, and `false` otherwise"; empty in
    /// rows of no period. With the preceding range beside it, both periods must be complete. "A period that has not
    /// begun has no figures", in either range.
    func completed(_ rows: [[String]], _ places: [(place: PeriodColumn, span: Span)]) -> [[String]] {
        rows.map { row in
            let states = places.compactMap { place, span in
                dates(row, place).map { dates in
                    span.from <= dates.start && dates.end <= span.to && dates.lastEnd <= now
                }
            }
            var row = row
            if let own = places.first?.place, own.laterBy != nil {
                let areToCome = places.map { place, _ in dates(row, place).map { $0.lastStart > now } ?? false }
                // The preceding range's columns begin with its period. Then each figure has three, of which the last
                // two are its change.
                let figures = own.firstFigure..<(places.count > 1 ? places[1].place.column : row.count)
                let keys = own.firstFigure - 1
                for column in figures where areToCome.contains(true) {
                    if areToCome[0] { row[column] = "" }
                    guard places.count > 1 else { continue }
                    let earlier = figures.upperBound + 1 + 3 * (column - keys)
                    if areToCome[1] { row[earlier] = "" }
                    (row[earlier + 1], row[earlier + 2]) = ("", "")
                }
            }
            return row + [states.isEmpty ? "" : String(states.allSatisfy { $0 })]
        }
    }

    /// Of the period of a row, and of the later one in which its figures were counted; nil for a row of no period.
    private func dates(
        _ row: [String],
        _ place: PeriodColumn
    ) -> (start: Timestamp, end: Timestamp, lastStart: Timestamp, lastEnd: Timestamp)? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        var text = String(place.isLast ? row[place.column].suffix(10) : row[place.column].prefix(10))
        if let dated = place.dated, let grouping = place.grouping {
            text = self.dated(Name(text), by: grouping, from: dated.like, like: dated.of).text
        }
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard text.count == 10, numbers.count == 3,
            let noon = calendar.date(
                from: DateComponents(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12)
            ),
            let period = calendar.dateInterval(of: place.component, for: noon),
            let later = calendar.date(
                byAdding: place.component,
                value: place.laterBy.flatMap { Int(row[$0]) } ?? 0,
                to: noon
            ),
            let last = calendar.dateInterval(of: place.component, for: later)
        else { return nil }
        func time(_ date: Date) -> Timestamp {
            Timestamp(microseconds: Int64(date.timeIntervalSince1970.rounded()) * 1_000_000)
        }
        return (time(period.start), time(period.end), time(last.start), time(last.end))
    }

    /// The whole period before the one that an instant lies in.
    func period(before instant: Timestamp, _ length: PeriodLength) -> Span {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        func start(of date: Date) -> Date { calendar.dateInterval(of: length.component, for: date)?.start ?? date }
        func time(_ date: Date) -> Timestamp {
            Timestamp(microseconds: Int64(date.timeIntervalSince1970.rounded()) * 1_000_000)
        }
        let second = (Double(instant.microseconds) / 1_000_000).rounded(.down)
        let end = start(of: Date(timeIntervalSince1970: second))
        return Span(from: time(start(of: end.addingTimeInterval(-1))), to: time(end))
    }

    func periods(of span: Span, _ length: PeriodLength) -> [(name: String, span: Span)] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        var periods: [(name: String, span: Span)] = []
        var instant = span.from
        while instant < span.to {
            let second = (Double(instant.microseconds) / 1_000_000).rounded(.down)
            guard
                let interval = calendar.dateInterval(of: length.component, for: Date(timeIntervalSince1970: second))
            else { break }
            let end = Timestamp(microseconds: Int64(interval.end.timeIntervalSince1970.rounded()) * 1_000_000)
            let day = calendar.dateComponents([.year, .month, .day], from: interval.start)
            let name = [day.year ?? 0, day.month ?? 0, day.day ?? 0]
                .map { $0 < 10 ? "0\($0)" : "\($0)" }
                .joined(separator: "-")
            periods.append((name, Span(from: instant, to: min(end, span.to))))
            instant = end
        }
        return periods
    }
}
