import Time
import Timelines

/// The tables that a report about a funnel can show.
enum FunnelTable: Equatable, Sendable {
    /// One row for each step.
    case steps
    /// The same, beside the preceding range of the same length.
    case stepsBesidePrevious
    /// How long the steps take: one row for each step and bin of a histogram.
    case times

    /// - Throws: `ReportError.usage` if two tables are requested.
    init(reading reader: inout ParameterReader) throws(ReportError) {
        let comparesPrevious = try reader.option("compare-previous")
        let tellsTimes = try reader.option("times")
        guard !comparesPrevious || !tellsTimes else {
            throw .usage(
                message:
                    "\(parameter: "times") is a table of its own, without \(parameter: "compare-previous"): ask for one",
                field: "times"
            )
        }
        self = comparesPrevious ? .stepsBesidePrevious : tellsTimes ? .times : .steps
    }

    func query(of funnel: Funnel, in range: ReportRange) -> TimelineQuery {
        funnel.query(in: range, startsEarlierBy: self == .stepsBesidePrevious ? range.longestPreceding : .zero)
    }
}

/// A report that is one table about one funnel.
protocol FunnelTableReport: PeopleReport {
    /// Whether it tells how many installs were injected, which no step shows.
    static var tellsInjected: Bool { get }

    var funnel: Funnel { get }
    var table: FunnelTable { get }
}

extension FunnelTableReport {
    static var tellsInjected: Bool { false }

    var columns: [ReportColumn] {
        var columns = table.columns + (Self.tellsInjected && table != .times ? [FunnelTable.injectedColumn] : [])
        // A pair such as `search / 2026-11-16` is no date.
        if funnel.groupings.count == 1, funnel.groupings[0].period != nil { columns[0] = columns[0].asDates() }
        return columns
    }
    var methods: [StatisticalMethod] { table.methods }

    static var peopleFigures: [String] { ["STEP:reached", "STEP:dropped", "STEP:open"] }

    static func rowNames(by grouping: String?) -> [String] { ["group"] }

    static func people(behind column: String, _ text: (String) -> String) -> [(name: String, value: String)]? {
        switch column {
        case "people": [("people", "\(text("step")):reached")]
        case "open", "dropped": [("people", "\(text("step")):\(column)")]
        default: nil
        }
    }

    /// `3:dropped`, or with the step's name `install:dropped`.
    func peopleFigure(named name: String) throws(ReportError) -> PeopleFigure {
        guard let colon = name.lastIndex(of: ":") else {
            throw .unknown("figure", name, field: "people", allowed: Self.peopleFigures)
        }
        let step = String(name[..<colon])
        let numbers = funnel.steps.indices
        let named = numbers.filter { funnel.name(ofStep: $0).utf8.elementsEqual(step.utf8) }
        guard let position = Int(step).map({ $0 - 1 }).flatMap({ numbers.contains($0) ? $0 : nil }) ?? named.first
        else {
            throw .unknown("step", step, field: "people", allowed: numbers.map { funnel.name(ofStep: $0) })
        }
        guard named.count < 2 else {
            throw .invalid(
                "people",
                "\(named.map { "step \($0 + 1)" }.joined(separator: " and ")) are '\(step)': name one by its number, "
                    + "as \(named[1] + 1):reached"
            )
        }
        let figure: PeopleFigure
        switch name[name.index(after: colon)...] {
        case "reached": figure = .reached(position)
        case "dropped": figure = .dropped(position)
        case "open": figure = .open(position)
        default: throw .unknown("figure", name, field: "people", allowed: Self.peopleFigures)
        }
        guard position > 0 || figure == .reached(position) else {
            throw .invalid("people", "nobody is lost before step 1: ask who reached it, with 1:reached")
        }
        guard table != .times else {
            throw .invalid("people", "goes with the table of steps: leave times out")
        }
        return figure
    }

    var rowPeriods: RowPeriods? {
        funnel.groupings.enumerated().lazy.compactMap { position, grouping in
            grouping.period.map { RowPeriods(column: 0, length: $0, isLast: position > 0) }
        }.first
    }

    static var comparesItself: Bool { true }

    static var completeColumn: ReportColumn? { ReportColumn.complete.only("with `--by day|week|month`") }

    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { funnel.matureEnd(at: now) }

    var namedValues: [NamedValue] { funnel.namedValues }

    /// Beside the preceding range, of which group and range too many people can still go on.
    func warnings(of rows: [[ReportCell]]) -> [ReportWarning] {
        guard table == .stepsBesidePrevious else { return [] }
        let positions = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($0.element.name, $0.offset) })
        func count(_ column: String, _ row: [ReportCell]) -> Int64? {
            if case .integer(let count)? = positions[column].map({ row[$0] }) { count } else { nil }
        }
        let groups = stride(from: 0, to: rows.count, by: funnel.steps.count).map { first in
            rows[first..<min(first + funnel.steps.count, rows.count)]
        }
        func sides(_ prefix: String, _ place: String) -> [(name: String, open: Int64, people: Int64)] {
            groups.compactMap { steps in
                guard let first = steps.first, case .text(let group) = first[0],
                    // Without a range that can be compared with, there is no verdict anyway.
                    count("previous_people", first) != nil, let people = count("\(prefix)people", first)
                else { return nil }
                let open = steps.reduce(0) { $0 + (count("\(prefix)open", $1) ?? 0) }
                return CompareReport.isMostlyOver(open: open, people: people)
                    ? nil : ("'\(group)'\(place)", open, people)
            }
        }
        // The row of all groups is the last, and says most.
        var told = Array(sides("", "").reversed())
        told += sides("previous_", " in the range before").reversed()
        return [ReportWarning(stillOpen: told)].compactMap(\.self)
    }

    func query(in range: ReportRange) -> TimelineQuery {
        table.query(of: funnel, in: range)
    }

    func makeFold(_ run: ReportRun) -> FunnelTableFold {
        FunnelTableFold(table, funnel, run, tellsInjected: Self.tellsInjected)
    }
}
