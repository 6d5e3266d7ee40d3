import Storage
import Time

/// The periods of a chart over the days of a view: days, weeks or months.
///
/// A period that is not over, or that lies only partly in the days, has fewer events than it will have. Charts draw it
/// apart, because it would look like a fall.
struct ChartPeriods {
    enum State {
        case whole
        /// It ends after the request.
        case open
        /// It lies only partly in the days.
        case cut
    }

    /// `day`, `week` or `month`.
    let length: String
    /// The first date of each period, without those that begin after today.
    let starts: [String]
    let states: [State]
    /// What happened in each period.
    private let noted: [[Note]]

    /// How many notes are named below the chart.
    private static let namedNotes = 12

    /// - Parameters:
    ///   - starts: as the report has them.
    ///   - length: default: that of the charts over these days.
    ///   - notes: of these days, by day.
    ///   - growing: the first period whose figures still grow, though it may be over.
    init(
        _ starts: [String],
        of length: String? = nil,
        in span: DateSpan,
        today: String,
        noted notes: [Note] = [],
        growing: String? = nil
    ) {
        let length = length ?? span.period
        self.length = length
        self.starts = starts.filter { $0 <= today }
        states = self.starts.map { start in
            let end = DateSpan.end(of: length, from: start)
            if end > today || growing.map({ start >= $0 }) ?? false { return .open }
            return start < span.from || end > DateSpan.day(span.through, plus: 1) ? .cut : .whole
        }
        noted = self.starts.map { start in
            let end = DateSpan.end(of: length, from: start)
            return notes.filter { start <= $0.day.description && $0.day.description < end }
        }
    }

    /// The periods in which something was noted.
    var notedPositions: [Int] { noted.indices.filter { !noted[$0].isEmpty } }

    /// The period that begins on a date, in words: `week from 2026-11-23`.
    private func name(_ start: String) -> String {
        switch length {
        case "day": start
        case "week": "the week from \(start)"
        default: String(start.prefix(7))
        }
    }

    /// The date of a period in words, with its weekday if it is a day: `Wed 2026-11-25`.
    func name(_ position: Int) -> String {
        let start = starts[position]
        return length == "day"
            ? "\(DateSpan.weekday(start)) \(start)" : length == "month" ? String(start.prefix(7)) : start
    }

    /// The same below the chart: `Wed 25 Nov`.
    func label(_ position: Int) -> String {
        length == "day" ? DateSpan.shortDay(starts[position]) : name(position)
    }

    /// A date below the chart.
    struct Mark {
        var position: Int
        /// Whether a phone has room for it.
        var isOnPhones: Bool
    }

    /// The periods whose dates stand below the chart: of many days the Mondays, else some at equal distances.
    var marks: [Mark] {
        let room = 7
        var positions = Array(starts.indices)
        if starts.count > room, length == "day" {
            positions = positions.filter { DateSpan.weekday(starts[$0]) == "Mon" }
            let every = (positions.count + room) / (room + 1)
            positions = positions.enumerated().filter { $0.offset % every == 0 }.map(\.element)
        } else if starts.count > room {
            positions = (0..<room).map { $0 * (starts.count - 1) / (room - 1) }
        }
        let middle = (positions.count - 1) / 2
        return positions.enumerated().map { index, position in
            Mark(position: position, isOnPhones: [0, middle, positions.count - 1].contains(index))
        }
    }

    /// Draws the dates below a chart.
    ///
    /// - Parameters:
    ///   - isNarrow: whether the chart has no more room than on a phone.
    ///   - x: the place of a period, from 0 to 1.
    func drawMarks(in svg: inout SVG, y: Double, isNarrow: Bool = false, x: (Int) -> Double) {
        for mark in marks where mark.isOnPhones || !isNarrow {
            let place = x(mark.position)
            let anchor: SVG.Anchor = starts.count == 1 ? .middle : place < 0.02 ? .start : place > 0.98 ? .end : .middle
            svg.label(
                label(mark.position),
                x: place,
                y: y,
                anchor: anchor,
                class: mark.isOnPhones ? "tick" : "tick spacious"
            )
        }
    }

    /// What is to say of the period that begins on this date.
    func remark(_ start: String) -> String? {
        guard let position = starts.firstIndex(of: start) else { return start > (starts.last ?? "") ? "to come" : nil }
        let state: String? =
            switch states[position] {
            case .whole: nil
            case .open: "not over"
            case .cut: "in part"
            }
        let remarks = [state].compactMap(\.self) + noted[position].map(\.text)
        return remarks.isEmpty ? nil : remarks.joined(separator: ", ")
    }

    /// What a reader of the chart must know, in sentences.
    var notes: [String] { notes(drawn: "Dashed") }

    /// - Parameter drawn: how the chart draws periods apart.
    func notes(drawn: String) -> [String] {
        var notes: [String] = []
        if states.contains(.open) { notes.append("\(drawn), because not over yet: \(names(.open)).") }
        if states.contains(.cut) { notes.append("\(drawn), because only partly in these days: \(names(.cut)).") }
        let all = noted.flatMap(\.self)
        if !all.isEmpty {
            let named = all.prefix(Self.namedNotes).map { "\($0.day) \($0.text)" }.joined(separator: "; ")
            let more = all.count - Self.namedNotes
            notes.append("Noted: \(named)\(more > 0 ? "; and \(more) more" : "").")
        }
        return notes
    }

    /// The same for people by the period of an event, who come back in the periods after it.
    var cohortNotes: [String] {
        var notes = ["Empty cells: periods that are not over yet."]
        if states.contains(.open) { notes.append("Still growing, because not over yet: \(names(.open)).") }
        if states.contains(.cut) {
            notes.append("Not all of its people, because only partly in these days: \(names(.cut)).")
        }
        return notes
    }

    private func names(_ state: State) -> String {
        let named = zip(starts, states).filter { $0.1 == state }.map { name($0.0) }
        return named.count > 3
            ? "\(named[0]) to \(named[named.count - 1])" : named.joined(separator: " and ")
    }
}
