import Events
import InboundLinks
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time

/// What things cost, beside what they brought (docs/money.md).
@Suite("Costs in reports")
struct CostTests {
    private typealias E = OracleEvents

    private static let events = [
        E.event(1, at: -20 * E.day, user: "old", .appOpen),
        E.event(2, at: 0, user: "a", .inboundLink(E.touch(.search, refs: ["mail"]))),
        E.event(3, at: 60, user: "a", E.install),
        E.event(4, at: E.day + 60, user: "a", E.conversion("buy", 30_000_000, "USD")),
        E.event(5, at: E.day, user: "b", .inboundLink(E.touch(.requests))),
        E.event(6, at: 3 * E.day, user: "a", E.conversion("buy", 2_000_000, "USD")),
    ]

    private static func cost(
        _ kind: Cost.Kind,
        _ name: String,
        _ from: String,
        _ to: String,
        _ amount: String,
        _ currency: String = "USD"
    ) throws -> Cost {
        try Cost(names: [kind: name], from: from, to: to, amount: amount, currency: currency, ownCurrency: "USD")
    }

    private func with(
        _ costs: [Cost],
        beside events: [Event] = [],
        _ body: @Sendable (Asked) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(Self.events + events, of: app)
            let stored = try await CostStore(pool: testing.pool).store(costs, of: app, replaces: false)
            #expect(stored == .stored(costs.count))
            try await body(Asked(testing: testing, app: app))
        }
    }

    private struct Asked: Sendable {
        var testing: FigureTesting
        var app: App

        func result(_ name: String, _ own: [(String, String)]) async throws -> ReportResult {
            let range = [("from", "2026-01-05"), ("to", "2026-01-07")]
            let parameters: [(String, String)] = range.filter { end in !own.contains { $0.0 == end.0 } } + own
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters.map { (name: $0.0, value: $0.1) },
                origin: .http,
                app: app,
                now: E.time(100 * E.day)
            )
            return try await ReportRunner.run(request, on: testing.pool)
        }

        /// The cells of some columns in some rows.
        func told(
            _ name: String,
            _ own: [(String, String)] = [],
            _ columns: [String] = ["cost", "cost_per_install", "cost_per_conversion", "return"]
        ) async throws -> [String] {
            let table = try await result(name, own).table
            let places = columns.map { column in table.columns.firstIndex { $0.name == column } }
            let key = name == "retention" ? 1 : 0
            return table.rows.map { row in
                ([row[key]] + places.map { $0.map { row[$0] } ?? .text("no column") })
                    .map { $0.plainText ?? "" }.joined(separator: " ")
            }
        }
    }

    @Test func standBesideTheirRows() async throws {
        let costs = [
            try Self.cost(.channel, "search", "2026-01-04", "2026-01-08", "20"),
            try Self.cost(.channel, "other", "2026-01-05", "2026-01-06", "1.5"),
            try Self.cost(.ref, "mail", "2026-01-05", "2026-01-06", "8"),
            try Self.cost(.ref, "flyer", "2026-01-06", "2026-01-07", "0.25"),
            try Self.cost(.link, "go.example/x", "2026-01-05", "2026-01-06", "3"),
        ]
        try await with(costs) { asked in
            // Two of the four days lie in the range.
            let channels = try await asked.told("channels")
            #expect(channels.contains("search 10 10.000000 10.000000 3.000000"))
            #expect(channels.contains("other 1.5   0.000000"))
            #expect(channels.contains("requests 0   "))
            #expect(channels.last == "total 11.5 11.500000 11.500000 2.608696")
            let refs = ["mail 8 8.000000 8.000000 3.750000", "flyer 0.25   0.000000", "(none) 0   ", "direct 0   "]
            #expect(try await asked.told("refs") == refs + ["total 8.25 8.250000 8.250000 3.636364"])
            let byRef = try await asked.told("breakdown", [("by", "ref")])
            #expect(byRef.contains(refs[0]) && byRef.contains(refs[1]))
            #expect(byRef.last == "total 8.25 8.250000 8.250000 3.636364")
            #expect(try await asked.told("links") == ["go.example/x 3   0.000000", "total 3   0.000000"])
            // By other keys, or by two, nothing has a cost.
            for by in ["platform", "channel,ref"] {
                let rows = try await asked.told("breakdown", [("by", by)])
                #expect(rows.allSatisfy { $0.contains("no column") }, "\(by)")
            }
            // Days, and the range before.
            let daily = try await asked.told("channels", [("by", "day")], ["channel", "cost"])
            #expect(daily.filter { $0.hasSuffix(" search 5") } == ["2026-01-05 search 5", "2026-01-06 search 5"])
            #expect(daily.filter { $0.contains(" total ") } == ["2026-01-05 total 6.5", "2026-01-06 total 5"])
            let compared = try await asked.told("channels", [("compare-previous", "true")], ["cost", "previous_cost"])
            #expect(compared.contains("search 10 5") && compared.last == "total 11.5 5")
            // One row beside a row for all others.
            let limited = try await asked.told("refs", [("limit", "1"), ("where", "ref!=mail")], ["cost"])
            #expect(limited.contains("flyer 0.25") && limited.last == "total 0.25")
        }
    }

    @Test func areLeftOutWhereNobodyKnowsThem() async throws {
        try await with([try Self.cost(.channel, "search", "2026-01-05", "2026-01-06", "10")]) { asked in
            let kept = try await asked.told("channels", [("where", "channel=search")])
            #expect(kept.last == "total 10 10.000000 10.000000 3.000000")
            #expect(
                try await asked.told("channels", [("where", "channel!=search")]).last
                    == "total no column no column no column no column"
            )
            let filtered = try await asked.result("channels", [("where", "platform=ios")])
            #expect(!filtered.table.columns.contains { $0.name == "cost" })
            #expect(
                filtered.warnings.contains {
                    $0.message.text(for: .http) == "where: a cost has no platform, so the columns of costs are left out"
                }
            )
            let some = try await asked.result("channels", [("with", "conversion")])
            #expect(!some.table.columns.contains { $0.name == "cost" })
            let message = "nobody knows what some people cost, so the columns of costs are left out"
            #expect(some.warnings.contains { $0.message.text(for: .http) == message })
            // Before and after its day there is none, and only who asks for the column gets it.
            let later = [("from", "2026-01-06"), ("to", "2026-01-07")]
            #expect(try await !asked.result("channels", later).table.columns.contains { $0.name == "cost" })
            let shown = try await asked.result("channels", later + [("columns", "channel,cost")])
            #expect(shown.shownColumns.map(\.name) == ["channel", "cost"])
            #expect(shown.text(as: .csv).hasPrefix("channel,cost\r\nsearch,\r\n"))
        }
    }

    @Test func areInTheAppsCurrencyByTheRatesOfTheirDays() async throws {
        let costs = [try Self.cost(.channel, "search", "2026-01-05", "2026-01-07", "10", "EUR")]
        try await with(costs) { asked in
            let missing = try await asked.result("channels", [])
            #expect(!missing.table.columns.contains { $0.name == "cost" })
            #expect(
                missing.warnings.map { $0.message.text(for: .http) } == [
                    "costs in other currencies have no rate of their days, and are not in cost: 10 EUR"
                ]
            )
            let days = try ["2026-01-05", "2026-01-06"].map { try #require(CivilDate($0)) }
            let rates = zip(days, [2, 3]).map { day, worth in
                ExchangeRate(currency: "EUR", day: day, numerator: Int64(worth), denominator: 1)
            }
            _ = try await RateStore(pool: asked.testing.pool).store(rates, of: asked.app)
            #expect(try await asked.told("channels", [], ["cost"]).last == "total 25")
        }
    }

    /// Two people came on the days of the cost. One of them was worth 30 after a day, and 2 more two days later.
    @Test(arguments: [("30", "1"), ("31", "3"), ("32", "3"), ("33", "")])
    func arePaidBackInThePeriodWhoseValueReachesThem(amount: String, days: String) async throws {
        let costs = [
            try Self.cost(.channel, "search", "2026-01-05", "2026-01-06", amount),
            try Self.cost(.channel, "search", "2026-01-07", "2026-01-08", "1000"),
        ]
        try await with(costs) { asked in
            let pooled = [("pooled", "on"), ("periods", "4"), ("by", "channel")]
            let rows = try await asked.told("retention", pooled, ["period", "payback_days"])
            #expect(rows.filter { $0.hasPrefix("search 1") } == ["search 1 \(days)"])
            #expect(rows.filter { $0.hasPrefix("total 4") } == ["total 4 \(days)"])
            #expect(rows.contains("requests 1 "))
            let alone = try await asked.told(
                "retention",
                [("pooled", "on"), ("periods", "4")],
                ["period", "payback_days"]
            )
            #expect(alone.last == "total 4 \(days)")
            #expect(try await !asked.result("retention", []).table.columns.contains { $0.name == "payback_days" })
        }
    }

    /// Rows of costs count for the size of an answer as others do, and days of costs are not read without end.
    @Test func areNotWithoutEnd() async throws {
        let days = try (0..<3_000).map { try Self.cost(.ref, "ref-\($0)", "2026-01-05", "2027-01-01", "9") }
        try await with(days) { asked in
            await #expect(throws: ReportError.self) {
                _ = try await asked.result("refs", [("from", "2026-01-05"), ("to", "2026-12-31")])
            }
            await #expect(throws: ReportError.self) {
                _ = try await asked.result("refs", [("to", "2026-02-05"), ("by", "day")])
            }
            let rows = try await asked.result("refs", []).table.rows
            #expect(rows.count > 3_000)
        }
    }

    /// A cost of 0 is one that nobody told.
    @Test func beginWithTheCheapestOfWhatCosts() async throws {
        let costs = [try Self.cost(.ref, "mail", "2026-01-05", "2026-01-06", "8")]
        let free = [
            E.event(7, at: E.day, user: "c", .inboundLink(E.touch(.search, refs: ["gift"]))),
            E.event(8, at: E.day + 60, user: "c", E.install),
        ]
        try await with(costs, beside: free) { asked in
            let cheapest = [("by", "ref"), ("sort", "cost_per_install:reverse")]
            let rows = try await asked.told("breakdown", cheapest, ["installs", "cost_per_install"])
            #expect(rows.first == "mail 1 8.000000" && rows.contains("gift 1 0.000000"), "\(rows)")
        }
    }

    /// What brought nothing stands where its cost puts it.
    @Test func orderTheRows() async throws {
        let costs = [
            try Self.cost(.ref, "mail", "2026-01-05", "2026-01-06", "8"),
            try Self.cost(.ref, "flyer", "2026-01-06", "2026-01-07", "9"),
            try Self.cost(.ref, "radio", "2026-01-06", "2026-01-07", "1"),
        ]
        try await with(costs) { asked in
            func told(_ sort: String, _ own: [(String, String)] = []) async throws -> [String] {
                try await asked.told("breakdown", [("by", "ref"), ("sort", sort)] + own, ["cost", "share"])
            }
            #expect(
                try await told("cost") == [
                    "flyer 9 0.500000", "mail 8 0.444444", "radio 1 0.055556", "(none) 0 0.000000",
                    "direct 0 0.000000", "total 18 1.000000",
                ]
            )
            let first = ["flyer 9 0.500000", "(others) 9 0.500000", "direct 0 0.000000", "total 18 1.000000"]
            #expect(try await told("cost", [("limit", "1")]) == first)
            let reversed = try await asked.told("breakdown", [("by", "ref"), ("sort", "cost:reverse")], ["cost"])
            #expect(reversed == ["(none) 0", "radio 1", "mail 8", "flyer 9", "direct 0", "total 18"])
            // Without installs, there is no such cost, and nothing comes after it.
            let cheapest = [("by", "ref"), ("sort", "cost_per_install:reverse")]
            #expect(
                try await asked.told("breakdown", cheapest, ["cost_per_install"]) == [
                    "mail 8.000000", "(none) ", "flyer ", "radio ", "direct ", "total 18.000000",
                ]
            )
            let returned = try await asked.told("breakdown", [("by", "ref"), ("sort", "return")], ["return"])
            #expect(returned.first == "mail 3.750000")
            let compared = [("by", "ref"), ("sort", "cost"), ("limit", "1"), ("compare-previous", "true")]
            #expect(try await asked.told("breakdown", compared, ["cost", "previous_cost"]).first == "flyer 9 0")
            for own in [[("by", "platform")], [("by", "ref,channel")], [("by", "ref"), ("people", "touches")]] {
                await #expect(throws: ReportError.self, "\(own)") {
                    _ = try await asked.result("breakdown", own + [("sort", "cost")])
                }
            }
        }
    }

    /// `(none)` stands among the values of a property, by its figure.
    @Test func ofWhatBroughtNothingStandAfterOtherNames() async throws {
        try await with([try Self.cost(.ref, "ghost", "2026-01-05", "2026-01-07", "7")]) { asked in
            let rows = try await asked.told("breakdown", [("by", "ref"), ("sort", "conversions:reverse")], ["cost"])
            #expect(rows == ["(none) 0", "mail 0", "ghost 7", "direct 0", "total 7"])
        }
    }
}
