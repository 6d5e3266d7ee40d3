import Events
import JSONReading
import Storage
import Time

/// The ref and platform that carry most of a change, by the report `changes`: of one that a watch tells of, or of a
/// figure of the dashboard's first page.
package struct ChangeCarrier: Equatable {
    /// What `changes` is asked by.
    package static let keys = ["ref", "platform"]
    /// As texts call shares, from the largest.
    private static let shares = [
        (1, "all"), (0.9, "nine tenths"), (0.8, "four fifths"), (0.75, "three quarters"), (2.0 / 3, "two thirds"),
        (0.6, "three fifths"), (0.5, "half"), (0.4, "two fifths"), (1.0 / 3, "a third"), (0.25, "a quarter"),
        (0.2, "a fifth"), (0.1, "a tenth"),
    ]

    private var column: String
    /// How many days `changes` compared with as many days before.
    private var days: Int
    /// Of everything, as a part of what it was.
    private var change: Double
    private var group: [String]
    private var share: Double
    private var before: Double
    private var after: Double
    private var pValue: Double

    /// The report that tells it: of a watch by day, about the seven days that end with the day, because the days before
    /// are other days of the week.
    ///
    /// - Returns: nil if `changes` has no such figure.
    static func request(
        for finding: Watch.Finding,
        of watched: ReportRequest,
        _ column: String,
        asked parameters: [(name: String, value: String)]
    ) -> ReportRequest? {
        guard case .changed = finding.kind, let metric = watched.metric(of: column),
            let conditions = watched.conditions(ofRow: finding.row)
        else { return nil }
        var left: Set = [
            "by", "limit", "sort", "least", "rates", "period", "from", "to", "columns", "format", "dialect",
        ]
        if !metric.isOfConversions { left.insert("goal") }
        if !metric.isCredited { left.insert("lookback") }
        let days = watched.days
        let from = CivilDate(number: days.to.number - 7)
        // Of what else the question asks, `changes` refuses what it cannot mean.
        return try? ReportRequest.parse(
            name: ChangesReport.name,
            parameters: parameters.filter { !left.contains($0.name) } + conditions.map { ("where", $0.text) } + [
                ("metric", metric.rawValue), ("by", keys.joined(separator: ",")), ("limit", "50"),
                ("from", from.description), ("to", days.to.description),
            ],
            origin: .http,
            app: watched.app,
            now: watched.now
        )
    }

    /// Nil if no group has changed in the direction of the finding by more than chance.
    ///
    /// - Parameters:
    ///   - table: the answer to ``request(for:of:_:asked:)``.
    ///   - watchedDays: how many days a period of the watch has.
    init?(_ table: ReportTable, of finding: Watch.Finding, _ column: String, watchedDays: Int) {
        guard case .changed(let earlier, _, _, _) = finding.kind else { return nil }
        self.init(table, column, days: watchedDays, isFall: finding.figure.place < earlier.place)
    }

    /// Nil if no group has changed in the direction of all by more than chance.
    ///
    /// - Parameter result: of `changes`, by ``keys``.
    package init?(of result: ReportResult) {
        guard result.request.report is ChangesReport, result.table.columns.prefix(2).map(\.name) == Self.keys else {
            return nil
        }
        self.init(result.table, "", days: 0, isFall: nil)
    }

    /// - Parameter isFall: the direction that is wanted; nil: that of all.
    private init?(_ table: ReportTable, _ column: String, days: Int, isFall: Bool?) {
        func measure(_ name: String, _ row: [ReportCell]) -> Double? {
            table.columns.firstIndex { $0.name == name }.flatMap { row[$0].measure }
        }
        guard let total = table.rows.last, let was = measure("before", total), was > 0,
            let moved = measure("change", total), moved != 0, isFall.map({ $0 == (moved < 0) }) ?? true
        else { return nil }
        for row in table.rows.dropLast() {
            guard let share = measure("share_of_change", row), share > 0.075, row[0] != .text(ReportNames.others),
                let position = table.columns.firstIndex(where: { $0.name == "p_value" }),
                case .probability(let pValue) = row[position], pValue < significanceLevel,
                let before = measure("before", row), let after = measure("after", row)
            else { continue }
            self.column = column
            self.days = days
            change = moved / was
            group = Self.keys.indices.compactMap { row[$0].plainText }
            (self.share, self.before, self.after, self.pValue) = (share, before, after, pValue)
            return
        }
        return nil
    }

    /// `Against the week before: installs −18.0 %, four fifths of it giveaway on Android (412 to 120).`
    var text: String {
        let range = days == 1 ? "These seven days against the seven before" : "Against the week before"
        let size = "\(change < 0 ? "−" : "+")\(WatchedFigure.percent(abs(change)))"
        return "\(range): \(column) \(size), \(words(WatchedFigure.text(ofCount:)))."
    }

    /// `four fifths of it giveaway on Android (412 to 120)`.
    ///
    /// - Parameter text: a count in words.
    package func words(_ text: (Double) -> String) -> String {
        let part =
            share > 1.05
            ? "more than all" : Self.shares.min { abs($0.0 - share) < abs($1.0 - share) }.map(\.1) ?? ""
        let figures = [before, after].map(text).joined(separator: " to ")
        return "\(part) of it \(name) (\(figures))"
    }

    private var name: String {
        if group.first == ReportNames.direct { return "without a touch" }
        let ref = group.first == ReportNames.none ? "without a ref" : TextTable.printable(group.first ?? "")
        let platform: String =
            switch group.dropFirst().first.flatMap(Platform.init) {
            case .android: " on Android"
            case .ios: " on iOS"
            case .web: " on the web"
            case .desktop: " on desktops"
            case nil: ""
            }
        return ref + platform
    }

    var json: String {
        let names = zip(Self.keys, group).map { "\"\($0)\": \(JSONWriter.quoted($1))" }
        return "{" + (names + ["\"share_of_change\": \(share)", "\"p_value\": \(pValue)"]).joined(separator: ", ") + "}"
    }
}

extension ReportRequest {
    /// The metric of `changes` that a column is; nil if it is none.
    fileprivate func metric(of column: String) -> ChangeMetric? {
        switch report {
        case is ChannelsReport, is RefsReport, is BreakdownReport:
            [.touches, .people, .installs, .conversions, .value].first { $0.rawValue == column }
        // Its groups and conditions are of the touches of a period, those of `changes` of the first touch.
        case let activity as ActivityReport where activity.filter.isEmpty:
            column == ChangeMetric.active.rawValue ? .active : nil
        default: nil
        }
    }

    /// The conditions that keep what a row is about; nil if no conditions do.
    fileprivate func conditions(ofRow name: String) -> [EventCondition]? {
        if name == ReportNames.total { return [] }
        let keys: [EventGrouping?] =
            switch report {
            case is ChannelsReport: [.channel]
            case is RefsReport: [.ref]
            case let breakdown as BreakdownReport: breakdown.keys.map(\.grouping)
            default: []
            }
        let names = keys.count == 1 ? [name] : name.split(separator: ReportTable.watchedSeparator).map(String.init)
        guard !keys.isEmpty, names.count == keys.count else { return nil }
        var conditions: [EventCondition] = []
        for (key, name) in zip(keys, names) {
            guard let key, ![ReportNames.direct, ReportNames.others].contains(name) else { return nil }
            conditions.append(EventCondition(key, is: name))
        }
        return conditions
    }
}
