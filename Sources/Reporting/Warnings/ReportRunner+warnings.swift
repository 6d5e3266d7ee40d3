import Events
import InboundLinks
package import Postgres
package import Storage
import Time
import Timelines

extension ReportRunner {
    /// How many of the newest events are looked through before all are counted.
    private static let newestEvents: Int64 = 20_000
    /// How many of the most frequent names a misspelt one is compared with.
    private static let comparedNames = 2_000
    /// How many values of requests are looked up.
    private static let checkedValues = 50

    /// Warnings of what is in other currencies.
    static func currencyWarnings(of table: ReportTable) -> [ReportWarning] {
        let isOfChanges = table.columns.contains { $0.name == "before" }
        let columns = isOfChanges ? ["after", "before"] : ["value", "previous_value"]
        return table.otherCurrencies.enumerated().compactMap { index, amounts in
            ReportWarning(amounts, isPrevious: index > 0, column: columns[min(index, 1)])
        }
    }

    /// Warnings of the values that requests name and that occur nowhere in their app, each in the place of the first
    /// request that names the value.
    ///
    /// Most values occur among the app's newest events, which are read by an index. Only for the others all timelines
    /// of the app are read, once for all requests. So a value that occurs is never warned about.
    static func warnings(
        of requests: [ReportRequest],
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> [[ReportWarning]] {
        var warnings = requests.map { _ in [ReportWarning]() }
        var values: [(value: NamedValue, request: Int)] = []
        for (index, request) in requests.enumerated() {
            for value in request.namedValues where !values.contains(where: { $0.value == value }) {
                // Each takes PostgreSQL up to 40 ms.
                if values.count == checkedValues { break }
                values.append((value, index))
            }
        }
        guard let request = requests.first, !values.isEmpty else { return warnings }
        let properties = try await propertyValues(of: values.map(\.value), for: request, on: pool)
        let asked = values.filter { $0.value.kind.property == nil }
        for (place, warning) in try await unknown(asked.map(\.value), in: request, on: pool, sharing) {
            warnings[asked[place].request].append(warning)
        }
        for (value, index) in values {
            guard let property = value.kind.property, let census = properties[property.place] else { continue }
            let known = census.kept.lazy.map(PropertyKey.name(ofValue:))
            guard !known.contains(where: value.matches) else { continue }
            let compared = Array(known.prefix(comparedNames))
            warnings[index].append(ReportWarning(value, among: compared, hasOthers: !census.isWhole))
        }
        return warnings
    }

    /// Warnings of those of some values that occur nowhere, with their places among the values. None if there are too
    /// many names to look through.
    private static func unknown(
        _ values: [NamedValue],
        in request: ReportRequest,
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> [(place: Int, warning: ReportWarning)] {
        let recent = try await pool.withConnection { connection in
            try connection.transaction(readOnly: true) { try isRecent(values, of: request, on: connection) }
        }
        let missing = zip(values.indices, recent).filter { !$0.1 }.map(\.0)
        guard !missing.isEmpty else { return [] }
        let names = try await names(of: Set(missing.map { values[$0].kind }), for: request, on: pool, sharing)
        guard let names else { return [] }
        return missing.compactMap { place in
            let known = names[values[place].kind] ?? []
            if known.contains(where: values[place].matches) { return nil }
            return (place, ReportWarning(values[place], among: Array(known.prefix(comparedNames))))
        }
    }

    /// Warnings of the refs and short links that costs are of and that occur in no event of the app: no row would show
    /// what the money brought. Of the first costs of so many names, and no others.
    package static func warnings(
        of costs: [Cost],
        in app: App,
        on pool: PostgresPool
    ) async throws -> [ReportWarning] {
        var values: [NamedValue] = []
        for cost in costs {
            let key: EventGrouping
            switch cost.kind {
            case .ref: key = .ref
            case .link: key = .link
            case .channel: continue
            }
            let value = NamedValue(parameter: cost.kind.rawValue, kind: .key(key), text: cost.name)
            if values.count < checkedValues, !values.contains(value) { values.append(value) }
        }
        guard !values.isEmpty else { return [] }
        let parameters = [(name: "columns", value: "ref")]
        let request = try ReportRequest.parse(name: "refs", parameters: parameters, origin: .http, app: app, now: .now)
        return try await unknown(values, in: request, on: pool, ScanSharing(connections: 1)).map(\.warning)
    }

    /// The values of the declared properties whose values a request names, by the places of the properties.
    private static func propertyValues(
        of values: [NamedValue],
        for request: ReportRequest,
        on pool: PostgresPool
    ) async throws -> [Int: PropertyValues.Census] {
        var query = TimelineQuery(Set(EventType.allCases), in: .always, needs: [])
        for value in values {
            if let property = value.kind.property { query.need(property.property, at: property.place) }
        }
        guard !query.properties.isEmpty else { return [:] }
        return try await pool.withConnection { [query] connection in
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                try PropertyValues.census(of: query, app: request.app, on: connection)
            }
        }
    }

    /// For each value, whether one of the app's newest events has it.
    private static func isRecent(
        _ values: [NamedValue],
        of request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> [Bool] {
        try ScanPlanning.byIndex.apply(on: connection)
        let rows = try connection.query(
            ReportSQL.findRecentNames,
            [
                .int(Int64(request.app.number)), .int(newestEvents), .textArray(values.map(\.kind.name)),
                .textArray(values.map(\.text)), .textArray(values.map { String($0.isPrefix) }),
            ]
        )
        let pages = values.contains { $0.kind == .key(.page) } ? try recentPages(of: request, on: connection) : []
        return try zip(values, rows).map { value, row in
            value.kind == .key(.page) ? pages.contains(where: value.matches) : try row.bool(0)
        }
    }

    /// The pages of the app's newest events.
    private static func recentPages(
        of request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> [String] {
        try connection.query(ReportSQL.selectRecentTargets, [.int(Int64(request.app.number)), .int(newestEvents)])
            .compactMap { request.pageReader.page(of: try $0.text(0).utf8) }
    }

    /// All names of some kinds in an app, the most frequent first; nil if they are too many to look through.
    private static func names(
        of kinds: Set<NamedValue.Kind>,
        for request: ReportRequest,
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> [NamedValue.Kind: [String]]? {
        let counting = request.asking(NameCensus(kinds), in: .always)
        let counted: CountedRows
        do {
            counted = try await self.counted(RequestPass([counting]), sharing, on: pool)[0].rows
        } catch is ReportError {
            return nil
        }
        var counts: [NamedValue.Kind: [(name: String, count: Int64)]] = [:]
        for row in counted.rows {
            guard case .text(let label) = row[0], let kind = kinds.first(where: { $0.name == label }),
                case .text(let name) = row[1], case .integer(let count) = row[2]
            else { continue }
            counts[kind, default: []].append((name, count))
        }
        return counts.mapValues { counts in
            counts.sorted { $0.count == $1.count ? precedes($0.name, $1.name) : $0.count > $1.count }.map(\.name)
        }
    }
}

extension ReportRange {
    /// From the first to the last time that can be written.
    fileprivate static let always = ReportRange(
        from: Timestamp.spellable.lowerBound,
        to: Timestamp.spellable.upperBound
    )
}
