import Events
import Postgres
import Storage
import Time
import Timelines

extension ExchangeRates {
    /// For how many days after its own a rate holds, if there is no later one: over a weekend and holidays.
    static let lastingDays = 7

    /// The rates that a query's conversions may need; nil if it has none, or the app has no rates.
    init?(of app: App, for query: TimelineQuery, on connection: isolated PostgresConnection) throws {
        guard query.types.contains(.conversion), let zone = ReportTimeZone(app.profile.timeZone) else { return nil }
        try self.init(
            of: app,
            from: zone.day(of: query.eventsFrom),
            through: zone.day(of: query.through),
            in: zone,
            on: connection
        )
    }

    /// Those of some days; nil if there are none.
    init?(
        of app: App,
        from: CivilDate,
        through: CivilDate,
        in zone: ReportTimeZone,
        on connection: isolated PostgresConnection
    ) throws {
        let from = CivilDate(number: from.number - Self.lastingDays)
        // A damaged rate is none.
        let rates = try RateStore.rates(of: app, from: from, through: through, on: connection)
            .filter { $0.numerator > 0 && $0.denominator > 0 }
        guard !rates.isEmpty else { return nil }
        self.init(to: app.profile.currency, rates, in: zone)
    }

    /// - Parameters:
    ///   - rates: by currency and day, each once.
    ///   - zone: the app's, whose days they are of.
    init(to currency: String, _ rates: [ExchangeRate], in zone: ReportTimeZone) {
        var starts: [Int: Timestamp] = [:]
        func start(_ day: Int) -> Timestamp {
            if let known = starts[day] { return known }
            let start = zone.start(of: CivilDate(number: day))
            starts[day] = start
            return start
        }
        var all: [String: [Rate]] = [:]
        for (position, rate) in rates.enumerated() {
            let next = position + 1 < rates.count ? rates[position + 1] : nil
            let last = rate.day.number + Self.lastingDays + 1
            let end = next?.currency == rate.currency ? min(next?.day.number ?? last, last) : last
            all[rate.currency, default: []].append(
                Rate(
                    from: start(rate.day.number),
                    to: start(end),
                    numerator: rate.numerator,
                    denominator: rate.denominator
                )
            )
        }
        self.init(to: currency, rates: all)
    }
}
