import InboundLinks
import Events
package import Postgres
package import Time

extension Cost {
    /// As the log of changes calls it.
    fileprivate var label: String { "\(kind.rawValue) \(name)" }

    /// As the log of changes shows them.
    fileprivate var changeFields: ChangeLog.Fields {
        [
            ("from", .string(from.description)), ("to", .string(to.description)),
            ("amount", .string(amount.description)), ("currency", .string(currency)),
        ]
    }
}

/// The costs of apps.
package struct CostStore: Sendable {
    /// How many costs an app may have.
    package static let limit = 20_000

    /// What became of costs that were to be stored.
    package enum Outcome: Equatable, Sendable {
        /// How many are new, or have another amount.
        case stored(Int)
        /// The app has this one of the same name and days already.
        case exists(Cost)
        /// The app would have more than ``limit``.
        case tooMany
    }

    package let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores costs, all or none.
    ///
    /// - Parameters:
    ///   - costs: each name and days once. Their names are no secrets.
    ///   - replaces: whether a cost takes the place of one of the same name and days.
    package func store(_ costs: [Cost], of app: App, replaces: Bool) async throws -> Outcome {
        struct Refused: Error { var outcome: Outcome }
        let number = PostgresValue.int(Int64(app.number))
        do {
            return try await pool.withTransaction { connection in
                // One after the other: two files of the same names would wait for each other.
                try MoneyLock.wait(of: app, on: connection)
                var changed = 0
                var before: ChangeLog.Fields = []
                for start in stride(from: 0, to: costs.count, by: 5_000) {
                    let some = costs[start..<min(start + 5_000, costs.count)]
                    let values: [PostgresValue] = [
                        number, .textArray(some.map(\.kind.rawValue)), .textArray(some.map(\.name)),
                        .textArray(some.map(\.from.description)), .textArray(some.map(\.to.description)),
                        .intArray(some.map(\.amount.millionths)), .textArray(some.map(\.currency)),
                    ]
                    if !replaces || costs.count == 1 {
                        let same = try connection.query(StoredSQL.selectSameCost, Array(values.prefix(5)))
                        if let known = try same.first.flatMap(Self.cost) {
                            guard replaces else { throw Refused(outcome: .exists(known)) }
                            before = known.changeFields
                        }
                    }
                    changed += try connection.execute(StoredSQL.insertCosts, values)
                }
                let count = try connection.query("select count(*) from cost where app_number = $1", [number])
                guard try count[0].int(0) <= Self.limit else { throw Refused(outcome: .tooMany) }
                if changed > 0 {
                    let one = costs.count == 1
                    try connection.log(
                        .storeCosts,
                        one ? costs[0].label : "",
                        in: app.number,
                        from: before,
                        to: one ? costs[0].changeFields : [("count", .number(Int64(changed)))]
                    )
                }
                return .stored(changed)
            }
        } catch let refused as Refused {
            return refused.outcome
        }
    }

    /// The costs of an app, by their first day.
    package func list(of app: App) async throws -> [Cost] {
        try await pool.withConnection { try Self.costs(of: app, on: $0) }
    }

    /// Some costs of an app, by their first day.
    ///
    /// - Parameters:
    ///   - last: the first day and the number of the last cost of the page before; nil: from the first cost.
    ///   - limit: how many at most.
    package func page(of app: App, after last: (from: CivilDate, number: Int64)?, limit: Int) async throws -> [Cost] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectCostPage,
                [
                    .int(Int64(app.number)), last.map { .int(Int64($0.from.number)) } ?? .null,
                    last.map { .int($0.number) } ?? .null, .int(Int64(limit)),
                ]
            ).compactMap(Self.cost)
        }
    }

    /// - Returns: nil if the app has no such cost.
    package func remove(_ number: Int64, of app: App) async throws -> Cost? {
        try await pool.withTransaction { connection in
            let removed = try connection.query(StoredSQL.deleteCost, [.int(Int64(app.number)), .int(number)]).first
            guard let cost = try removed.flatMap(Self.cost) else { return nil }
            try connection.log(.removeCost, cost.label, in: app.number, from: cost.changeFields)
            return cost
        }
    }

    /// The costs with a day of some.
    ///
    /// - Parameters:
    ///   - days: from the first to before the last; nil: all costs.
    ///   - kind: nil: of every kind.
    package static func costs(
        of app: App,
        days: Range<CivilDate>? = nil,
        kind: Cost.Kind? = nil,
        on connection: isolated PostgresConnection
    ) throws -> [Cost] {
        func day(_ day: CivilDate?) -> PostgresValue { day.map { .int(Int64($0.number)) } ?? .null }
        return try connection.query(
            StoredSQL.selectCosts,
            [
                .int(Int64(app.number)), PostgresValue(kind?.rawValue), day(days?.lowerBound), day(days?.upperBound),
                .int(Int64(Cost.dayLimit)),
            ]
        ).compactMap(cost)
    }

    /// Nil for a kind that this program does not know.
    private static func cost(_ row: PostgresRow) throws -> Cost? {
        guard let kind = Cost.Kind(rawValue: try row.text(1)) else { return nil }
        var cost = Cost(
            of: kind,
            named: try row.text(2),
            from: CivilDate(number: try row.int(3)),
            to: CivilDate(number: try row.int(4)),
            amount: DecimalValue(millionths: try row.int64(5)),
            currency: try row.text(6)
        )
        cost.number = try row.int64(0)
        return cost
    }
}
