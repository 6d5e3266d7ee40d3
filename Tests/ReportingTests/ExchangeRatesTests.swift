import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// What amounts in other currencies are worth (docs/money.md).
@Suite("Exchange rates")
struct ExchangeRatesTests {
    private typealias E = OracleEvents

    private static func rate(_ currency: String, _ day: String, _ numerator: Int64, _ denominator: Int64) throws
        -> ExchangeRate
    {
        ExchangeRate(
            currency: currency,
            day: try #require(CivilDate(day)),
            numerator: numerator,
            denominator: denominator
        )
    }

    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test(
        arguments: [
            // Millionths and a rate of one half: 0.5 and 1.5 become 0 and 2, 2.5 becomes 2.
            (1, 1, 2, 0), (3, 1, 2, 2), (5, 1, 2, 2), (-1, 1, 2, 0), (-3, 1, 2, -2), (-5, 1, 2, -2),
            (2, 1, 3, 1), (1, 1, 3, 0), (100_000_000, 11_585, 10_000, 115_850_000), (7, 1, 1, 7), (0, 3, 7, 0),
            (1_000_000_000_000_000_000, 1, 1, 1_000_000_000_000_000_000),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func roundHalvesToEven(amount: Int64, numerator: Int64, denominator: Int64, expected: Int64) throws {
        let zone = try #require(ReportTimeZone("UTC"))
        let rates = ExchangeRates(to: "USD", [try Self.rate("EUR", "2026-01-05", numerator, denominator)], in: zone)
        #expect(rates.amount(amount, of: "EUR", at: E.time(0)) == expected)
    }

    @Test func leaveWhatIsMoreThanAnEventMayHave() throws {
        let zone = try #require(ReportTimeZone("UTC"))
        let rates = ExchangeRates(to: "USD", [try Self.rate("EUR", "2026-01-05", .max, 1)], in: zone)
        #expect(rates.amount(1_000_000_000_000_000_000, of: "EUR", at: E.time(0)) == nil)
        #expect(rates.amount(-1_000_000_000_000_000_000, of: "EUR", at: E.time(0)) == nil)
    }

    /// A rate holds for its day in the app's time zone and for seven days more, until there is a later one.
    @Test func areOfTheDayOrTheLatestBefore() throws {
        let zone = try #require(ReportTimeZone("America/New_York"))
        let rates = ExchangeRates(
            to: "USD",
            [
                try Self.rate("CHF", "2026-01-06", 5, 1), try Self.rate("EUR", "2026-01-06", 2, 1),
                try Self.rate("EUR", "2026-01-08", 3, 1),
            ],
            in: zone
        )
        for (text, expected) in [
            ("2026-01-06T04:59:59.999999Z", nil), ("2026-01-06T05:00:00Z", 2), ("2026-01-08T04:59:59Z", 2),
            ("2026-01-08T05:00:00Z", 3), ("2026-01-16T04:59:59.999999Z", 3), ("2026-01-16T05:00:00Z", nil),
        ] as [(String, Int64?)] {
            #expect(rates.amount(1, of: "EUR", at: try Self.time(text)) == expected, "\(text)")
        }
        #expect(rates.amount(1, of: "GBP", at: try Self.time("2026-01-08T05:00:00Z")) == nil)
        #expect(rates.amount(1, of: "USD", at: try Self.time("1999-01-08T05:00:00Z")) == 1)
    }

    /// Every report with rates is the report over events that were told in the app's currency.
    @Test(arguments: TestSeeds.seeds(40, in: 4)) func makeEveryReportWhole(seeds: Range<UInt64>) throws {
        let zone = try #require(ReportTimeZone("UTC"))
        for seed in seeds {
            let asked = try AskedStream(seed: seed)
            var random = SeededRandom(seed: seed)
            // Not every day has one.
            let rates = (-60..<120).filter { _ in random.chance(20) }.map { day in
                ExchangeRate(
                    currency: "EUR",
                    day: CivilDate(number: E.time(0).date.number + day),
                    numerator: Int64.random(in: 1...40, using: &random),
                    denominator: Int64.random(in: 1...40, using: &random)
                )
            }
            let events = MemoryEvents(asked.stream.events)
            let answers = asked.answers(about: asked.stream.events.map { Self.told($0, by: rates) })
            for (question, answer) in zip(asked.questions, answers) where question.place != .database {
                var request = events.telling(
                    try asked.request(question, to: Asking.app(currency: RandomStream.currency))
                )
                request.rates = ExchangeRates(to: RandomStream.currency, rates, in: zone)
                if question.name == "activity", request.firstEvent == nil { continue }
                let table = try request.table(over: MemoryTimelines(events, query: request.query))
                asked.expect(table.rows.texts, answer, question, "in memory, with rates")
            }
        }
    }

    /// The event as a sender would have told it that knew the rates, computed in another way than reports do.
    private static func told(_ event: Event, by rates: [ExchangeRate]) -> Event {
        guard case .conversion(var conversion) = event.content, conversion.currency == "EUR",
            let value = conversion.value
        else { return event }
        let day = event.occurredAt.date.number
        guard let rate = rates.last(where: { $0.day.number <= day }), day - rate.day.number <= 7 else { return event }
        let (product, denominator) = (Int128(value.millionths) * Int128(rate.numerator), Int128(rate.denominator))
        let below = floorQuotient(product, by: denominator)
        let twice = (product - below * denominator) * 2
        let isUp = twice > denominator || twice == denominator && below % 2 != 0
        var event = event
        conversion.value = DecimalValue(millionths: Int64(below + (isUp ? 1 : 0)))
        conversion.currency = RandomStream.currency
        event.content = .conversion(conversion)
        return event
    }

    /// Rates count for reports at once, and views are made again.
    @Test func changeReportsAndFigures() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(
                [
                    E.event(1, at: 0, user: "a", .inboundLink(E.touch(.search))),
                    E.event(2, at: 60, user: "a", E.conversion("buy", 100_000_000, "EUR")),
                    E.event(3, at: 90, user: "a", E.conversion("buy", 1_000_000, "USD")),
                ],
                of: app
            )
            func told() async throws -> [String] {
                let request = try Asking.request("channels", ["from": "2026-01-05", "to": "2026-01-07"], app: app)
                let result = try await ReportRunner.run(request, on: testing.pool)
                return [result.table.rows.last?.last?.plainText ?? "", "\(result.warnings.count) warnings"]
            }
            func figures() async throws -> [String] {
                try await testing.refresh(app)
                #expect(try await testing.differences(app).isEmpty)
                return try await testing.texts(
                    "select value::float8::text from channel_figures where channel = 'search' and granularity = 'day'"
                ).flatMap(\.self)
            }
            let store = RateStore(pool: testing.pool)
            let rate = try Self.rate("EUR", "2026-01-03", 3, 2)
            #expect(try await told() == ["1", "1 warnings"])
            #expect(try await figures() == ["1"])
            #expect(try await store.store([rate], of: app) == 1)
            #expect(try await store.store([rate], of: app) == 0)
            #expect(try await told() == ["151", "0 warnings"])
            #expect(try await figures() == ["151"])
            try await TimelinePacker(app: app, pool: testing.pool).pack()
            #expect(try await told() == ["151", "0 warnings"])
            #expect(try await store.spans(of: app).map(\.last) == [rate])
            #expect(try await store.clear("GBP", of: app) == 0)
            #expect(try await store.clear(nil, of: app) == 1)
            #expect(try await told() == ["1", "1 warnings"])
            #expect(try await figures() == ["1"])
        }
    }
}
