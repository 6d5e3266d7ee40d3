import Events
import Postgres
import Storage
import Time
import Timelines

/// The costs of some kinds on days of a range, in the app's currency.
struct CostTable: Sendable {
    /// What a name cost on a day, in millionths.
    private struct Part: Sendable {
        /// The position in `names`.
        var name: Int32
        var start: Timestamp
        var amount: Int64
    }

    /// Days of costs that a report may read: 12 MB.
    private static let partLimit = 500_000

    private let kinds: [Cost.Kind]
    /// By their bytes, because two spellings of é are equal as strings.
    private var names: [[UInt8]] = []
    private var parts: [Part] = []
    /// What has no rate: it is in no cost.
    private(set) var withoutRate: [String: Int128] = [:]
    /// The conditions of the request on what costs do not know; with some, no row can have costs.
    private(set) var foreignKeys: [String] = []

    /// Whether there are costs, but the request is about some people only (`--with`, `--without`).
    private(set) var isOfSomePeople = false

    var isEmpty: Bool { parts.isEmpty }

    /// Leaves all costs out: nobody knows which of them are those of some people.
    mutating func leaveOutForSomePeople() {
        isOfSomePeople = !parts.isEmpty || !withoutRate.isEmpty
        (parts, withoutRate) = ([], [:])
    }

    /// - Parameters:
    ///   - kinds: one, or all.
    ///   - rates: of the days of the range.
    init(
        of kinds: [Cost.Kind],
        in range: ReportRange,
        of app: App,
        keeping filter: EventFilter,
        rates: ExchangeRates?,
        on connection: isolated PostgresConnection
    ) throws {
        guard let zone = ReportTimeZone(app.profile.timeZone) else {
            self.init(of: kinds, costs: [], in: range, zone: nil, keeping: filter, rates: nil)
            return
        }
        let last = zone.day(of: range.to.advanced(byMicroseconds: -1))
        let days = zone.day(of: range.from)..<CivilDate(number: last.number + 1)
        let kind = kinds.count == 1 ? kinds[0] : nil
        let costs = try CostStore.costs(of: app, days: days, kind: kind, on: connection)
        let count = costs.reduce(0) { count, cost in
            count + max(0, min(cost.to, days.upperBound).number - max(cost.from, days.lowerBound).number)
        }
        guard count <= Self.partLimit else { throw Self.tooMany }
        let own = ExchangeRates(to: app.profile.currency, rates: [:])
        self.init(of: kinds, costs: costs, in: range, zone: zone, keeping: filter, rates: rates ?? own)
    }

    /// - Parameter zone: the app's, whose days costs have.
    init(
        of kinds: [Cost.Kind],
        costs: [Cost],
        in range: ReportRange,
        zone: ReportTimeZone?,
        keeping filter: EventFilter,
        rates: ExchangeRates?
    ) {
        self.kinds = kinds
        guard let zone, let rates else { return }
        let days = zone.day(of: range.from).number...zone.day(of: range.to.advanced(byMicroseconds: -1)).number
        // With several kinds, the rows have no name that a condition could be about.
        let isForeign = { (condition: EventCondition) in kinds.map(\.rawValue) != [condition.key.rawValue] }
        var starts: [Int: Timestamp] = [:]
        var numbers: [[UInt8]: Int32] = [:]
        for cost in costs where filter.conditions.allSatisfy({ isForeign($0) || $0.isMet(by: cost.name) }) {
            let name = Array(cost.name.utf8)
            let known = numbers[name] ?? Int32(names.count)
            if known == names.count {
                numbers[name] = known
                names.append(name)
            }
            let first = max(cost.from.number, days.lowerBound)
            for number in first..<max(first, min(cost.to.number, days.upperBound + 1)) {
                let day = CivilDate(number: number)
                let start = starts[number] ?? zone.start(of: day)
                starts[number] = start
                guard range.contains(start) else { continue }
                let part = cost.part(of: day)
                if let amount = rates.amount(part, of: cost.currency, at: start) {
                    parts.append(Part(name: known, start: start, amount: amount))
                } else {
                    withoutRate[cost.currency, default: 0] += Int128(part)
                }
            }
        }
        guard !parts.isEmpty || !withoutRate.isEmpty else { return }
        foreignKeys = filter.conditions.filter(isForeign).map(\.key.rawValue)
        if !foreignKeys.isEmpty { (parts, withoutRate) = ([], [:]) }
    }

    /// Why costs are not read.
    private static let tooMany = ReportError.usage(
        message: "the app has too many costs on days of this range: ask for a shorter one, or for longer periods",
        field: "report"
    )

    /// How many rows costs may add to a report.
    func rows(in periods: ReportPeriods) -> Int {
        var rows: Set<Int> = []
        for part in parts {
            guard let position = periods.position(of: part.start) else { continue }
            rows.insert(position * names.count + Int(part.name))
        }
        return rows.count
    }

    /// The costs of each name on the days that are wanted, in millionths.
    ///
    /// - Parameter isWanted: gets the first instant of a day.
    func sums(where isWanted: (Timestamp) -> Bool) -> [[UInt8]: Int128] {
        var sums: [Int32: Int128] = [:]
        for part in parts where isWanted(part.start) { sums[part.name, default: 0] += Int128(part.amount) }
        return named(sums)
    }

    private func named(_ sums: [Int32: Int128]) -> [[UInt8]: Int128] {
        Dictionary(uniqueKeysWithValues: sums.map { (names[Int($0.key)], $0.value) })
    }

    /// The rows with the cells of `ReportColumn.costs`. What cost something and has no row gets one, or is in
    /// `(others)` if there is this row.
    ///
    /// - Parameters:
    ///   - columns: those of the rows.
    ///   - periods: what the rows of the table's parts are about, each with a row `total` at its end.
    func added(to rows: [[ReportCell]], _ columns: [ReportColumn], _ periods: ReportPeriods) -> [[ReportCell]] {
        guard let name = columns.firstIndex(where: { kinds.map(\.rawValue) == [$0.name] }) else { return rows }
        var sums: [[Int32: Int128]] = Array(repeating: [:], count: periods.count)
        for part in parts {
            guard let position = periods.position(of: part.start) else { continue }
            sums[position][part.name, default: 0] += Int128(part.amount)
        }
        var all: [[ReportCell]] = []
        var rest = rows[...]
        for position in 0..<periods.count {
            let first = periods.cells(at: position)
            let ofPeriod = rest.prefix { $0.starts(with: first) }
            rest = rest.dropFirst(ofPeriod.count)
            all += table(Array(ofPeriod), columns, name, first, named(sums[position]))
        }
        return all + rest
    }

    /// The rows of a part of the table.
    private func table(
        _ rows: [[ReportCell]],
        _ columns: [ReportColumn],
        _ name: Int,
        _ first: [ReportCell],
        _ sums: [[UInt8]: Int128]
    ) -> [[ReportCell]] {
        let figures = ["installs", "conversions", "value"].map { figure in
            columns.firstIndex { $0.name == figure }
        }
        func withCost(_ row: [ReportCell], _ cost: Int128) -> [ReportCell] {
            func millionths(_ figure: Int) -> Int128 {
                guard let position = figures[figure], case .decimal(let millionths) = row[position] else { return 0 }
                return millionths
            }
            return row + [
                .decimal(millionths: cost), .fraction(cost, of: millionths(0)), .fraction(cost, of: millionths(1)),
                .fraction(millionths(2), of: cost),
            ]
        }
        func bytes(_ row: [ReportCell]) -> [UInt8] { Array((row[name].plainText ?? "").utf8) }
        let shown = Set(rows.map(bytes))
        let hidden = sums.filter { !shown.contains($0.key) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let hasOthers = shown.contains(Array(ReportNames.others.utf8))
        // `(none)` may stand among the names, by its figure. The rows that stand for no name are the last.
        let special = [ReportNames.none, ReportNames.direct, ReportNames.total]
        let end = (rows.lastIndex { !special.contains($0[name].plainText ?? "") } ?? -1) + 1
        var all: [[ReportCell]] = []
        for (position, row) in rows.enumerated() {
            let text = row[name].plainText ?? ""
            if position == end, !hasOthers {
                all += hidden.map { withCost(emptyRow(columns, first, name, $0.key), $0.value) }
            }
            let cost: Int128 =
                switch text {
                case ReportNames.total: sums.values.reduce(0, +)
                case ReportNames.others: hidden.reduce(0) { $0 + $1.value }
                default: sums[bytes(row)] ?? 0
                }
            all.append(withCost(row, cost))
        }
        return all
    }

    /// The row of a name that nothing else is counted for.
    private func emptyRow(
        _ columns: [ReportColumn],
        _ first: [ReportCell],
        _ name: Int,
        _ bytes: [UInt8]
    ) -> [ReportCell] {
        let text = String(decoding: bytes, as: UTF8.self)
        return columns.indices.map { position in
            if position < first.count { return first[position] }
            if position == name { return .text(text) }
            switch columns[position].kind {
            case .integer: return .integer(0)
            case .decimal: return .decimal(millionths: 0)
            default:
                return columns[position].name == "host"
                    ? LinkAddress(name: text).map { .text($0.host) } ?? .empty : .empty
            }
        }
    }
}

extension ReportWarning {
    /// What `cost` does not contain, and why; nil if it has all.
    init?(of costs: CostTable) {
        if let key = costs.foreignKeys.first {
            self.init(
                parameter: "where",
                message:
                    "\(parameter: "where"): a cost has no \(key), so the columns of costs are left out"
            )
            return
        }
        if costs.isOfSomePeople {
            self.init(message: "nobody knows what some people cost, so the columns of costs are left out")
            return
        }
        guard !costs.withoutRate.isEmpty else { return nil }
        let sums = costs.withoutRate.sorted { precedes($0.key, $1.key) }
            .map { "\(ReportCell.decimal(millionths: $0.value).plainText ?? "") \($0.key)" }.joined(separator: ", ")
        self.init(message: "costs in other currencies have no rate of their days, and are not in cost: \(sums)")
    }
}
