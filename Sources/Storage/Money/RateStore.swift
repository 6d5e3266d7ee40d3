import InboundLinks
package import Postgres
package import Time

/// What other currencies are worth to apps.
package struct RateStore: Sendable {
    /// How many rates an app may have: those of the European Central Bank since 1999 are half as many.
    package static let limit = 500_000

    /// The rates that an app has of one currency.
    package struct Span: Equatable, Sendable {
        package var last: ExchangeRate
        package var count: Int
        package var first: CivilDate
    }

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores rates in place of those of the same currencies and days. Reports have them at once; the figures of BI
    /// views are made again.
    ///
    /// - Parameter rates: each currency and day once.
    /// - Returns: how many of them are new or other; nil if the app would have more than ``limit``: nothing is stored
    ///   then.
    package func store(_ rates: [ExchangeRate], of app: App) async throws -> Int? {
        struct TooMany: Error {}
        let number = PostgresValue.int(Int64(app.number))
        do {
            return try await pool.withTransaction { connection in
                // Of two that store at once, the second waits, and counts the rates of the first.
                try MoneyLock.wait(of: app, on: connection)
                var changed = 0
                for start in stride(from: 0, to: rates.count, by: 20_000) {
                    let some = rates[start..<min(start + 20_000, rates.count)]
                    changed += try connection.execute(
                        StoredSQL.insertRates,
                        [
                            number, .textArray(some.map(\.currency)), .textArray(some.map(\.day.description)),
                            .intArray(some.map(\.numerator)), .intArray(some.map(\.denominator)),
                        ]
                    )
                }
                let count = try connection.query("select count(*) from exchange_rate where app_number = $1", [number])
                guard try count[0].int(0) <= Self.limit else { throw TooMany() }
                if changed > 0 {
                    try Self.markFigures(of: app, on: connection)
                    try ChangeLog.write(
                        .storeRates,
                        Set(rates.map(\.currency)).sorted().joined(separator: ", "),
                        app: app.number,
                        after: [("count", .number(Int64(changed)))],
                        on: connection
                    )
                }
                return changed
            }
        } catch is TooMany {
            return nil
        }
    }

    /// What the app has of each currency.
    package func spans(of app: App) async throws -> [Span] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectRateSpans, [.int(Int64(app.number))]).map { row in
                Span(last: try Self.rate(row), count: try row.int(4), first: CivilDate(number: try row.int(5)))
            }
        }
    }

    /// The rates of a currency, by day.
    ///
    /// - Parameters:
    ///   - day: the last day of the page before; nil: from the first rate.
    ///   - limit: how many at most; nil: all.
    package func rates(
        of currency: String,
        after day: CivilDate? = nil,
        limit: Int? = nil,
        of app: App
    ) async throws -> [ExchangeRate] {
        try await pool.withConnection { connection in
            try Self.rates(
                of: app,
                from: CivilDate(number: (day?.number ?? -800_000) + 1),
                through: CivilDate(number: 3_000_000),
                currency: currency,
                limit: limit,
                on: connection
            )
        }
    }

    /// Removes the rates of a currency, or all.
    ///
    /// - Returns: how many there were.
    package func clear(_ currency: String?, of app: App) async throws -> Int {
        try await pool.withTransaction { connection in
            let removed = try connection.execute(
                "delete from exchange_rate where app_number = $1 and ($2::text is null or currency = $2)",
                [.int(Int64(app.number)), PostgresValue(currency)]
            )
            if removed > 0 {
                try Self.markFigures(of: app, on: connection)
                let fields = [("count", InspectionValue.number(Int64(removed)))]
                try ChangeLog.write(.clearRates, currency ?? "", app: app.number, before: fields, on: connection)
            }
            return removed
        }
    }

    /// The rates of some days, by currency and day.
    package static func rates(
        of app: App,
        from: CivilDate,
        through: CivilDate,
        currency: String? = nil,
        limit: Int? = nil,
        on connection: isolated PostgresConnection
    ) throws -> [ExchangeRate] {
        try connection.query(
            StoredSQL.selectRates,
            [
                .int(Int64(app.number)), .int(Int64(from.number)), .int(Int64(through.number)),
                PostgresValue(currency), limit.map { .int(Int64($0)) } ?? .null,
            ]
        ).map(rate)
    }

    private static func rate(_ row: PostgresRow) throws -> ExchangeRate {
        ExchangeRate(
            currency: try row.text(0),
            day: CivilDate(number: try row.int(1)),
            numerator: try row.int64(2),
            denominator: try row.int64(3)
        )
    }

    /// Any period may have an amount of the currency, and figures of retention have those of later periods.
    private static func markFigures(of app: App, on connection: isolated PostgresConnection) throws {
        try connection.execute("select invalidate_figures($1::integer)", [.int(Int64(app.number))])
    }
}
