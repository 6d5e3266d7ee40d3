import Events
import Foundation
import Time

extension Oracle {
    enum PeriodLength: String, CaseIterable {
        case day, week, month

        fileprivate var component: Calendar.Component {
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

    private func periods(of span: Span, _ length: PeriodLength) -> [(name: String, span: Span)] {
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
