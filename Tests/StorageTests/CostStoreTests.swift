import Events
import Postgres
import RandomTesting
@testable import Storage
import Testing
import Time

@Suite("Costs")
struct CostStoreTests {
    /// The days of a cost sum to its amount, and differ by a millionth at most.
    @Test(arguments: TestSeeds.seeds(400, in: 4)) func areSpreadExactly(seeds: Range<UInt64>) {
        for seed in seeds {
            var random = SeededRandom(seed: seed)
            let days = Int.random(in: 1...Cost.dayLimit, using: &random)
            let most: Int64 = random.chance(50) ? 1_000 : 1_000_000_000_000_000_000
            let cost = Cost(
                of: .channel,
                named: "search",
                from: CivilDate(number: 20_000),
                to: CivilDate(number: 20_000 + days),
                amount: DecimalValue(millionths: Int64.random(in: 0...most, using: &random)),
                currency: "USD"
            )
            let parts = (0..<days).map { cost.part(of: CivilDate(number: 20_000 + $0)) }
            #expect(parts.reduce(0, +) == cost.amount.millionths, "seed \(seed)")
            // What is left over goes to the first days.
            #expect(parts == parts.sorted(by: >) && parts[0] - parts[days - 1] <= 1, "seed \(seed)")
        }
    }

    private static func cost(_ name: String, _ amount: String, day: Int = 5) throws -> Cost {
        try Cost(
            names: [.ref: name],
            from: "2026-01-0\(day)",
            to: nil,
            amount: amount,
            currency: nil,
            ownCurrency: "EUR"
        )
    }

    @Test func areStoredOncePerNameAndDays() async throws {
        try await StorageTesting.with { base in
            let store = CostStore(pool: base.pool)
            let (mail, flyer) = (try Self.cost("mail", "3"), try Self.cost("flyer", "4", day: 7))
            #expect(try await store.store([mail, flyer], of: base.app, replaces: false) == .stored(2))
            let refused = try await store.store([try Self.cost("new", "1"), mail], of: base.app, replaces: false)
            guard case .exists(let known) = refused else {
                Issue.record("the same cost is stored twice")
                return
            }
            #expect(known.name == "mail" && known.amount == mail.amount)
            #expect(try await store.store([mail], of: base.app, replaces: true) == .stored(0))
            #expect(try await store.store([try Self.cost("mail", "5")], of: base.app, replaces: true) == .stored(1))
            let all = try await store.list(of: base.app)
            #expect(all.map { "\($0.name) \($0.amount) \($0.currency)" } == ["mail 5 EUR", "flyer 4 EUR"])
            #expect(try await store.page(of: base.app, after: nil, limit: 1) == [all[0]])
            let next = (from: all[0].from, number: all[0].number)
            #expect(try await store.page(of: base.app, after: next, limit: 5) == [all[1]])
            let range = CivilDate(number: mail.from.number)..<CivilDate(number: mail.from.number + 1)
            let some = try await base.pool.withConnection { connection in
                try CostStore.costs(of: base.app, days: range, kind: .ref, on: connection)
            }
            #expect(some.map(\.name) == ["mail"])
            #expect(try await store.remove(all[0].number, of: base.app)?.name == "mail")
            #expect(try await store.remove(all[0].number, of: base.app) == nil)
        }
    }

    /// What no cost may be, whoever writes it.
    @Test(arguments: [
        "(1, 'post', 'x', '2026-01-05', '2026-01-06', 1, 'USD')",
        "(1, 'ref', '', '2026-01-05', '2026-01-06', 1, 'USD')",
        "(1, 'ref', 'x', '2026-01-05', '2026-01-05', 1, 'USD')", "(1, 'ref', 'x', '2026-01-05', 'infinity', 1, 'USD')",
        "(1, 'ref', 'x', '2026-01-05', '2026-01-06', -1, 'USD')",
        "(1, 'ref', 'x', '2026-01-05', '2026-01-06', 1, 'usd')",
    ]) func haveBounds(row: String) async throws {
        try await StorageTesting.with { base in
            let insert = "insert into cost (app_number, kind, name, starts_on, ends_on, amount, currency) values"
            await #expect(throws: (any Error).self) { try await base.run("\(insert) \(row)") }
        }
    }
}
